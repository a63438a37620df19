/** Without what the browser writes down when somebody who is not signed in asks who he is: that answer is as it should be. */
export function faultsBut401(faults: readonly string[]): string[] {
  return faults.filter((fault) => !fault.includes('status of 401'));
}
