/** A series in the Prometheus text format. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A selector in an expression: a metric name with matchers for its labels. */
interface Selector {
  readonly name: string;
  readonly matchers: readonly { label: string; operator: string; value: string }[];
}

/** Labels that Prometheus itself adds to every target. */
export const SCRAPE_LABELS: readonly string[] = ['instance', 'job'];

const LABELS = /([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"/g;
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
/** Does not match the `e9` of `800e9`. */
const SELECTOR = /(?<![\w.])([a-zA-Z_:][\w:]*)\s*(\{(?:"(?:[^"\\]|\\.)*"|[^}"])*\})?\s*(\()?/g;
const OPERATORS = new Set(['and', 'or', 'unless', 'bool', 'offset']);

/** Returns the series in a response from /metrics. */
export function seriesIn(text: string): Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = ''] = /^([\w:]+)(?:\{(.*)\})? /.exec(line) ?? [];
      return { name, labels: Object.fromEntries(matchersIn(labels).map(({ label, value }) => [label, value])) };
    });
}

/** Returns the selectors of an expression, and the labels by which it groups. */
export function readExpression(expression: string): { selectors: Selector[]; groupedBy: string[] } {
  const groupedBy = [...expression.matchAll(GROUPING)].flatMap(([, names = '']) => names.split(',')).map(trimmed);
  const rest = expression.replace(GROUPING, ' ').replace(/\[[^\]]*\]/g, ' ');
  const selectors = [...rest.matchAll(SELECTOR)]
    .filter(([, name = '', , call]) => call === undefined && !OPERATORS.has(name))
    .map(([, name = '', labels = '']) => ({ name, matchers: matchersIn(labels) }));
  return { selectors, groupedBy: groupedBy.filter((name) => name !== '') };
}

/** Whether a selector matches this series. Scrape labels and dashboard variables match any value. */
export function matchesSeries({ name, matchers }: Selector, series: Series): boolean {
  if (name !== series.name) return false;
  return matchers
    .filter(({ label, value }) => !SCRAPE_LABELS.includes(label) && !value.startsWith('$'))
    .every(({ label, operator, value }) => {
      const actual = series.labels[label] ?? '';
      const fits = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
      return operator.startsWith('!') ? !fits : fits;
    });
}

function matchersIn(text: string): Selector['matchers'] {
  return [...text.matchAll(LABELS)].map(([, label = '', operator = '', value = '']) => ({ label, operator, value }));
}

function trimmed(text: string): string {
  return text.trim();
}
