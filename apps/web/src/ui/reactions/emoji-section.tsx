import { useEffect, useState } from 'preact/hooks';
import { type Emoji, inTone } from './emoji.ts';
import { tone } from './recent-emoji.ts';

interface EmojiSectionProps {
  name: string;
  emoji: readonly Emoji[];
  columns: number;
  /** How many frames later the section is drawn: drawing all sections in one frame would cause a noticeable pause. */
  delay: number;
  onPick: (emoji: Emoji) => void;
}

/** One group of emoji: a heading and rows of the grid. */
export function EmojiSection({ name, emoji, columns, delay, onPick }: EmojiSectionProps) {
  const [isDrawn, setDrawn] = useState(delay < 2);
  useEffect(() => {
    if (isDrawn) return;
    const timer = setTimeout(() => setDrawn(true), delay * 16);
    return () => clearTimeout(timer);
  }, []);
  if (!isDrawn || emoji.length === 0) return null;
  const rows = Array.from({ length: Math.ceil(emoji.length / columns) }, (_, n) =>
    emoji.slice(n * columns, (n + 1) * columns),
  );
  return (
    <div class="picker-group" role="rowgroup" aria-label={name}>
      <p class="picker-head" aria-hidden="true">
        {name}
      </p>
      {rows.map((row) => (
        <div key={row[0]?.text} class="picker-row" role="row" tabIndex={-1}>
          {row.map((each) => (
            <button
              key={each.text}
              type="button"
              role="gridcell"
              tabIndex={-1}
              title={each.name}
              aria-label={each.name}
              onClick={() => onPick(each)}
            >
              {inTone(each, tone.value)}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}
