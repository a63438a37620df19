/** Returns the problems without 401 errors, which browsers log when a signed-out page checks its session. */
export function problemsBut401(problems: readonly string[]): string[] {
  return problems.filter((problem) => !problem.includes('status of 401'));
}
