/** The part of vitest's JSON report that is read here. */
export type VitestReport = {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
};

/** How a part of the run went. Each failure and each skip is a line. */
export type Tally = {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  /** Tests that failed at first and passed when they ran again. They are counted as passed. */
  readonly unsteady: readonly string[];
};

/** Skips that are known: the test's full name, and why it may be skipped. */
export type AllowedSkips = Readonly<Record<string, string>>;

/**
 * Counts the tests of one vitest run.
 * @param report undefined if vitest left none.
 * @param exitCode of vitest: errors outside of tests show in it alone.
 * @param allowed which tests may be skipped; undefined lets all.
 */
export function tally(
  part: string,
  report: VitestReport | undefined,
  exitCode: number,
  allowed?: AllowedSkips,
): Tally {
  const failed: string[] = [];
  const skipped: string[] = [];
  let passed = 0;
  for (const file of report?.testResults ?? []) {
    for (const { fullName, status } of file.assertionResults) {
      if (status === 'passed') passed++;
      else if (status === 'failed') failed.push(`${part}: ${fullName}`);
      else if (allowed === undefined || (allowed[fullName] ?? '').trim() !== '') skipped.push(fullName);
      else failed.push(`${part}: skipped, and test/allowed-skips.json does not say why: "${fullName}"`);
    }
    const broken =
      file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed');
    if (broken) failed.push(`${part}: ${file.name}: ${file.message.split('\n')[0]}`);
  }
  if (failed.length === 0 && passed === 0) failed.push(`${part}: no test ran`);
  else if (failed.length === 0 && exitCode !== 0) failed.push(`${part}: vitest ended with code ${exitCode}`);
  return { passed, failed, skipped, unsteady: [] };
}

/** The files in which something failed, as vitest named them. Empty without a report. */
export function failedFiles(report: VitestReport | undefined): readonly string[] {
  return (report?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name);
}

/** The report of a run, with what a later run of some of its files found in place of what it found there itself. */
export function replaced(report: VitestReport, later: VitestReport | undefined): VitestReport {
  const found = new Map((later?.testResults ?? []).map((file) => [file.name, file]));
  return { testResults: report.testResults.map((file) => found.get(file.name) ?? file) };
}

/** The sum of several parts. */
export function total(parts: readonly Tally[]): Tally {
  return {
    passed: parts.reduce((sum, part) => sum + part.passed, 0),
    failed: parts.flatMap((part) => part.failed),
    skipped: parts.flatMap((part) => part.skipped),
    unsteady: parts.flatMap((part) => part.unsteady),
  };
}

/** The line that a run ends with. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`;
}
