import Bold from 'icon:bold';
import CodeXml from 'icon:code-xml';
import Eye from 'icon:eye';
import Italic from 'icon:italic';
import Link from 'icon:link';
import List from 'icon:list';
import { COMMAND_KEY } from '../../lib/keyboard/shortcuts.ts';
import { MARKS, type Mark } from './markdown-edits.ts';

const ICONS = { bold: Bold, italic: Italic, code: CodeXml, link: Link, list: List };
const NAMES: Readonly<Record<Mark, string>> = {
  bold: 'Bold',
  italic: 'Italic',
  code: 'Code',
  link: 'Link',
  list: 'List',
};
/** Pressed with Control, or with Command on a Mac. */
export const MARK_KEYS: Readonly<Record<string, Mark>> = { b: 'bold', i: 'italic', e: 'code', k: 'link' };

function shortcutOf(mark: Mark): string | undefined {
  const [key] = Object.entries(MARK_KEYS).find(([, named]) => named === mark) ?? [];
  return key && `${COMMAND_KEY}+${key.toUpperCase()}`;
}

interface ToolbarProps {
  isPreview: boolean;
  onMark: (mark: Mark) => void;
  onPreview: () => void;
}

/** The formatting toolbar. The text keeps the focus, so that a touch keyboard stays open. */
export function Toolbar({ isPreview, onMark, onPreview }: ToolbarProps) {
  const stay = (event: Event) => event.preventDefault();
  return (
    <>
      {MARKS.map((mark) => {
        const Icon = ICONS[mark];
        return (
          <button
            key={mark}
            class="icon-btn is-small"
            type="button"
            aria-label={NAMES[mark]}
            aria-keyshortcuts={shortcutOf(mark)}
            disabled={isPreview}
            onMouseDown={stay}
            onClick={() => onMark(mark)}
          >
            <Icon size="s" />
          </button>
        );
      })}
      <button
        class="icon-btn is-small"
        type="button"
        aria-label="Preview"
        aria-pressed={isPreview}
        onMouseDown={stay}
        onClick={onPreview}
      >
        <Eye size="s" />
      </button>
    </>
  );
}
