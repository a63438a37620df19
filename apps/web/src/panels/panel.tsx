import X from 'icon:x';
import type { ComponentChildren } from 'preact';
import { navigate, withPanel } from '../router/location.ts';

interface PanelProps {
  title: string;
  /** The Hub that it is of. */
  hubName: string;
  children: ComponentChildren;
  /** A composer, or one action. */
  foot?: ComponentChildren;
  /** Beside the button that closes it. */
  tools?: ComponentChildren;
}

/** The frame of everything that opens beside the page: thread, to-do, note, where a post came from. */
export function Panel({ title, hubName, children, foot, tools }: PanelProps) {
  return (
    <aside class="panel" id="panel" aria-label={title}>
      <header class="bar">
        <h2 class="panel-title">
          {title} <span class="panel-sub">{hubName}</span>
        </h2>
        <div class="bar-end">
          {tools}
          <button
            class="icon-btn is-small"
            type="button"
            aria-label="Close (Esc)"
            onClick={() => navigate(withPanel(null))}
          >
            <X />
          </button>
        </div>
      </header>
      <div class="panel-scroll">{children}</div>
      {foot}
    </aside>
  );
}
