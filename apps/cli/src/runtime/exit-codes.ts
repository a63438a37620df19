/** Exit codes of hubctl. Scripts branch on these, so a number never changes its meaning. */
export const EXIT = {
  done: 0,
  /** The server returned an error, or something else failed. */
  failed: 1,
  /** The command line is invalid, according to hubctl or the server; nothing was done. See docs/hubctl.md. */
  usage: 2,
  /** No response from the server. */
  unreachable: 3,
  /** 401 or 403, or no permission to use the socket. */
  notAllowed: 4,
  /** The key is blocked; the message says for how many seconds. */
  rateLimited: 5,
  /** Ctrl-C, by the convention of shells: 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
