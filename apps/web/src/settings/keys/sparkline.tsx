import type { KeyDay } from '@hub/contract';
import { LOCALE } from '../../time/format.ts';

const STEP = 4;
const BAR = 2.6;
const HEIGHT = 24;
const DAYS = 30;

/** Daily posts as bars. Days with a block are persimmon, and days without posts are dots. */
export function Sparkline({ days = [] }: { days?: readonly KeyDay[] | undefined }) {
  const shown = days.slice(-DAYS);
  const max = Math.max(1, ...shown.map(({ posts }) => posts));
  const height = ({ posts, blocks }: KeyDay) => (blocks > 0 && posts === 0 ? 4 : Math.max(2, (posts / max) * 22));
  const bars = (matches: (day: KeyDay) => boolean, heightOf: (day: KeyDay) => number) =>
    shown.map((day, n) => (matches(day) ? bar(n * STEP, heightOf(day)) : '')).join('');
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${(DAYS - 1) * STEP + 2} ${HEIGHT}`}
      role="img"
      aria-label={summaryOf(shown)}
      preserveAspectRatio="none"
    >
      <path d={bars(({ posts, blocks }) => posts > 0 && blocks === 0, height)} />
      <path
        class="z"
        d={bars(
          ({ posts, blocks }) => posts === 0 && blocks === 0,
          () => 1,
        )}
      />
      <path class="hi" d={bars(({ blocks }) => blocks > 0, height)} />
    </svg>
  );
}

function bar(x: number, height: number): string {
  return `M${x} ${HEIGHT}v${-height.toFixed(1)}h${BAR}v${height.toFixed(1)}z`;
}

/** "412 posts in the last 30 days, blocked on 1 day". */
function summaryOf(days: readonly KeyDay[]): string {
  const posts = days.reduce((sum, day) => sum + day.posts, 0);
  const blocked = days.filter(({ blocks }) => blocks > 0).length;
  const count = `${posts.toLocaleString(LOCALE)} ${posts === 1 ? 'post' : 'posts'} in the last 30 days`;
  return blocked === 0 ? count : `${count}, blocked on ${blocked} ${blocked === 1 ? 'day' : 'days'}`;
}
