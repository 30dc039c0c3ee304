import './lab.css';
import type { LabEngines } from '../../lab/run.ts';
import { loadDeterministicEngine } from '../../physics/deterministic.ts';
import { loadedEngine, loadPhysics } from '../../physics/engine.ts';
import { showFailure, showNotice, showReady } from '../panel/screens.ts';
import { FAILURES } from '../room/sentences.ts';
import type { Stage } from '../stage.ts';
import { stageOn } from '../stage.ts';
import { parseLabSettings } from './lab-settings.ts';
import { LabPage } from './page.ts';

/** Opens the lab as its URL says. */
export async function openLab(canvas: HTMLCanvasElement, overlay: HTMLElement): Promise<void> {
  const parameters = new URLSearchParams(location.search);
  // Not the page's own: it is for every page.
  parameters.delete('emulate');
  const { settings, complaints } = parseLabSettings(`?${parameters.toString()}`);
  document.title = 'Handover · the lab';
  canvas.setAttribute(
    'aria-label',
    'The same play by up to four ways to network physics. Pointer or arrow keys move the red cube in all of them.',
  );
  let stage: Stage;
  try {
    stage = stageOn(canvas);
  } catch {
    showFailure(FAILURES['no graphics']);
    return;
  }
  let engines: LabEngines;
  try {
    await loadPhysics();
    engines = { fastest: loadedEngine(), deterministic: await loadDeterministicEngine() };
  } catch {
    showFailure(FAILURES['no engine']);
    return;
  }
  new LabPage(stage, overlay, settings, engines);
  showNotice(overlay, complaints);
  showReady();
}
