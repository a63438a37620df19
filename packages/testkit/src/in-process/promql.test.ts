import { describe, expect, test } from 'bun:test';
import { matchesSeries, readExpression, seriesIn } from './promql.ts';

const namesIn = (expression: string): string[] => readExpression(expression).selectors.map(({ name }) => name);

describe('a Prometheus expression', () => {
  test('yields its metric names, without functions, operators, groupings, ranges or numbers', () => {
    expect(namesIn('sum by (le) (rate(a_bucket{x="}"}[5m])) / a_count > 500e6 and on (y) b_total offset 5m')).toEqual([
      'a_bucket',
      'a_count',
      'b_total',
    ]);
    expect(
      readExpression('topk(5, sum by (le, route) (rate(a[5m])) > bool 0 unless ignoring (z) b)').groupedBy,
    ).toEqual(['le', 'route', 'z']);
  });

  test('matches series by their labels, whatever the values of scrape labels and dashboard variables', () => {
    const [series] = seriesIn('# TYPE a counter\na{kind="note",status="503"} 7\n');
    expect(series).toEqual({ name: 'a', labels: { kind: 'note', status: '503' } });
    const isMatched = (expression: string) =>
      readExpression(expression).selectors.some((selector) => series !== undefined && matchesSeries(selector, series));
    expect(isMatched('a{instance=~"$instance", status=~"5..", kind!="todo", job="hub"}')).toBe(true);
    for (const other of ['a{status="500"}', 'a{status=~"5"}', 'a{kind!~"n.*"}', 'a{colour="red"}', 'b']) {
      expect([other, isMatched(other)]).toEqual([other, false]);
    }
  });
});
