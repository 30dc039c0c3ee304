import axe from 'axe-core';
import type { Page } from 'playwright-core';

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/**
 * Has axe look at a page as it is now, by all its rules.
 * @returns a line for each violation; empty if there is none.
 */
export async function violationsOn(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const results = await window.axe?.run(document, { resultTypes: ['violations'] });
    if (results === undefined) throw new Error('axe is not there');
    return results.violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary ?? ''}`,
      ),
    );
  });
}
