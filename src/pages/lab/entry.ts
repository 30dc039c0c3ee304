import './lab.css';
import type { LabEngines } from '../../lab/run.ts';
import { loadDeterministicEngine } from '../../physics/deterministic.ts';
import { loadedEngine } from '../../physics/engine.ts';
import { showFailure, showNotice, showReady } from '../panel/screens.ts';
import { FAILURES } from '../room/sentences.ts';
import { openStage } from '../page-canvas.ts';
import { parseLabSettings } from './lab-settings.ts';
import { LabPage } from './page.ts';

/** Opens the lab with the settings in the URL. */
export async function openLab(canvas: HTMLCanvasElement, overlay: HTMLElement): Promise<void> {
  const parameters = new URLSearchParams(location.search);
  // This parameter belongs to every page, not to this one.
  parameters.delete('emulate');
  const { settings, complaints } = parseLabSettings(`?${parameters.toString()}`);
  document.title = 'Handover · the lab';
  canvas.setAttribute(
    'aria-label',
    'The same play by up to four ways to network physics. Pointer or arrow keys move the red cube in all of them.',
  );
  const stage = await openStage(canvas);
  if (typeof stage === 'string') {
    showFailure(FAILURES[stage]);
    return;
  }
  let engines: LabEngines;
  try {
    engines = { fastest: loadedEngine(), deterministic: await loadDeterministicEngine() };
  } catch {
    showFailure(FAILURES['no engine']);
    return;
  }
  new LabPage(stage, overlay, settings, engines);
  showNotice(overlay, complaints);
  showReady();
}
