/** Without what the browser writes down when somebody who is not signed in asks who he is: that answer is as it should be. */
export function problemsBut401(problems: readonly string[]): string[] {
  return problems.filter((problem) => !problem.includes('status of 401'));
}
