import { SET_COLORS } from '@hub/contract/markdown/without-escapes';

export interface ColoredRun {
  text: string;
  /** The hue of the text in degrees (OKLCH); `null` for the color of other code. Lightness and chroma are the theme's. */
  hue: number | null;
  /** The hue of the background; `null` for none. */
  ground: number | null;
  isGrey: boolean;
  isBold: boolean;
}

const PLAIN = { hue: null, ground: null, isGrey: false, isBold: false };
type Style = Omit<ColoredRun, 'text'>;

/** Divides code with terminal colors into runs. The 16 and the 256 colors become hues; other colors are left out. */
export function coloredRuns(code: string): ColoredRun[] {
  const runs: ColoredRun[] = [];
  let style: Style = PLAIN;
  // Every second piece is the parameters of a sequence.
  for (const [index, piece] of code.split(SET_COLORS).entries()) {
    if (index % 2 === 1) style = withParameters(style, piece);
    else if (piece !== '') runs.push({ text: piece, ...style });
  }
  return runs;
}

function withParameters(before: Style, parameters: string): Style {
  const numbers = parameters.split(/[;:]/).map(Number);
  let style = before;
  for (let index = 0; index < numbers.length; index += 1) {
    const code = numbers[index] ?? 0;
    if (code === 38 || code === 48) {
      const [kind, value = -1] = numbers.slice(index + 1);
      if (kind === 5) style = { ...style, ...(code === 38 ? colored(value) : { ground: hueOf(value) }) };
      index += kind === 5 ? 2 : 4;
    } else style = withCode(style, code);
  }
  return style;
}

function withCode(style: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, isBold: true };
  if (code === 22) return { ...style, isBold: false, isGrey: false };
  if (code === 2) return { ...style, isGrey: true };
  if (code === 39) return { ...style, hue: null, isGrey: false };
  if (code === 49) return { ...style, ground: null };
  if (code >= 30 && code <= 37) return { ...style, ...colored(code - 30) };
  if (code >= 90 && code <= 97) return { ...style, ...colored(code - 82) };
  if (code >= 40 && code <= 47) return { ...style, ground: hueOf(code - 40) };
  if (code >= 100 && code <= 107) return { ...style, ground: hueOf(code - 92) };
  return style;
}

/** Black and white have the color of other code, which suits both themes, and grey has that of comments. */
function colored(index: number): Pick<Style, 'hue' | 'isGrey'> {
  return { hue: hueOf(index), isGrey: index === 8 || (index >= 235 && index <= 250) };
}

/** Black, red, green, yellow, blue, magenta, cyan, white. */
const HUES = [null, 25, 150, 85, 255, 325, 200, null] as const;

/** Returns the hue of one of the 256 colors; `null` for black, white and grey. */
function hueOf(index: number): number | null {
  if (index < 16) return HUES[index % 8] ?? null;
  if (index > 231) return null;
  const [red, green, blue] = [36, 6, 1].map((step) => Math.floor((index - 16) / step) % 6) as [number, number, number];
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  if (least === most) return null;
  const range = most - least;
  const sixth =
    most === red
      ? ((green - blue) / range + 6) % 6
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  // Hues of OKLCH: red is at 25, yellow at 85, green at 150, cyan at 200, blue at 255, magenta at 325.
  const [from, part] = [Math.floor(sixth), sixth % 1];
  const stops = [25, 85, 150, 200, 255, 325, 385] as const;
  const start = stops[from] ?? 25;
  return Math.round(start + ((stops[from + 1] ?? 385) - start) * part) % 360;
}
