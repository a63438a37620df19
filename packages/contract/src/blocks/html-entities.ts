/**
 * The named character references that browsers write when they serialize HTML (WHATWG HTML, "escaping a string"), and
 * the most common others. The rest are in `named-characters.ts`.
 */
const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    ensp: '\u2002',
    emsp: '\u2003',
    thinsp: '\u2009',
    shy: '\u00ad',
    zwnj: '\u200c',
    zwj: '\u200d',
    ndash: '–',
    mdash: '—',
    hellip: '…',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    laquo: '«',
    raquo: '»',
    bull: '•',
    middot: '·',
    copy: '©',
    reg: '®',
    trade: '™',
    deg: '°',
    sect: '§',
    para: '¶',
    times: '×',
    divide: '÷',
    plusmn: '±',
    larr: '←',
    rarr: '→',
    euro: '€',
    pound: '£',
    yen: '¥',
    cent: '¢',
  }),
);

/** The numbers 128 to 159 stand for Windows-1252 characters (WHATWG HTML, "numeric character reference end state"). */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const REPLACEMENT = '\ufffd';

/** A character reference, with the length limits of CommonMark 0.31 (section 2.5). */
const reference = /&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,31}));/g;

/**
 * Replaces character references with their characters. `names` contains all HTML names, if they are loaded. The result
 * is always well-formed and without NUL.
 */
export function decodeEntities(text: string, names?: Readonly<Record<string, string>>): string {
  if (!text.includes('&')) return text;
  return text.replace(reference, (written, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined)
      return named.get(name) ?? (names && Object.hasOwn(names, name) ? names[name] : null) ?? written;
    return fromNumber(decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal));
  });
}

function fromNumber(codePoint: number): string {
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  if (codePoint === 0 || codePoint > 0x10ffff || isSurrogate) return REPLACEMENT;
  if (codePoint >= 0x80 && codePoint <= 0x9f) return WINDOWS_1252.charAt(codePoint - 0x80);
  return String.fromCodePoint(codePoint);
}
