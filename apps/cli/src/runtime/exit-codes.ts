/** What the shell is told. Scripts branch on these, so a number never changes its meaning. */
export const EXIT = {
  done: 0,
  /** The server refused, or something failed. */
  failed: 1,
  /** The command line is wrong in itself, as hubctl or the server finds; nothing was done. docs/hubctl.md has the rule. */
  usage: 2,
  /** No answer from the server. */
  unreachable: 3,
  /** 401 or 403, or no right to use the socket. */
  notAllowed: 4,
  /** The key is blocked; the message says for how many seconds. */
  rateLimited: 5,
  /** Ctrl-C, as shells count it: 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
