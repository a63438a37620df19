import { describe, expect, test } from 'bun:test';
import { picks, readExpression, seriesIn } from './promql.ts';

const namesIn = (expression: string): string[] => readExpression(expression).selectors.map(({ name }) => name);

describe('an expression of Prometheus', () => {
  test('names what it picks, and not its functions, operators, groupings, spans and numbers', () => {
    expect(namesIn('sum by (le) (rate(a_bucket{x="}"}[5m])) / a_count > 500e6 and on (y) b_total offset 5m')).toEqual([
      'a_bucket',
      'a_count',
      'b_total',
    ]);
    expect(
      readExpression('topk(5, sum by (le, route) (rate(a[5m])) > bool 0 unless ignoring (z) b)').groupedBy,
    ).toEqual(['le', 'route', 'z']);
  });

  test('picks the series whose labels fit, whatever a variable of a dashboard or the scrape will say', () => {
    const [series] = seriesIn('# TYPE a counter\na{kind="note",status="503"} 7\n');
    expect(series).toEqual({ name: 'a', labels: { kind: 'note', status: '503' } });
    const isPicked = (expression: string) =>
      readExpression(expression).selectors.some((selector) => series !== undefined && picks(selector, series));
    expect(isPicked('a{instance=~"$instance", status=~"5..", kind!="todo", job="hub"}')).toBe(true);
    for (const other of ['a{status="500"}', 'a{status=~"5"}', 'a{kind!~"n.*"}', 'a{colour="red"}', 'b']) {
      expect([other, isPicked(other)]).toEqual([other, false]);
    }
  });
});
