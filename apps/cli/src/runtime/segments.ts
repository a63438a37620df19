export type Style =
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | 'green'
  | 'yellow'
  | 'red'
  | 'cyan'
  | 'blue'
  | 'magenta';

/** A part of a line. Its text may be untrusted: it is sanitized when it is printed. */
export interface Styled {
  readonly text: string;
  /** One style, or several combined. */
  readonly style: Style | readonly Style[];
}
export type Segment = string | Styled;

export function styled(style: Style, text: string): Styled {
  return { text, style };
}

/** A line of terminal output. */
export type Line = Segment[];
