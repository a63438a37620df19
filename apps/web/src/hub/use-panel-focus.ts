import { useEffect } from 'preact/hooks';

/** On touch a field that has the focus brings up the keyboard, over what one wants to read. */
const isTouch = (): boolean => matchMedia('(hover: none)').matches;

/** What opens gets the focus, its field if it has one; when it closes, the focus is where it came from. */
export function usePanelFocus(id: string, isLoading: boolean): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      // Whatever takes the place of the panel may have the focus by then.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        const row = document.querySelector<HTMLElement>(`.feed [data-row="${CSS.escape(id)}"]`);
        const isBeforeThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
        const back = isBeforeThere ? before : (row ?? document.querySelector<HTMLElement>('.feed'));
        if (back === row && row) row.tabIndex = -1;
        back?.focus({ preventScroll: true });
      });
    };
  }, [id]);
  useEffect(() => {
    if (isLoading) return;
    const panel = document.querySelector<HTMLElement>('.panel');
    const field = isTouch() ? null : panel?.querySelector<HTMLElement>('.composer textarea');
    const title = panel?.querySelector<HTMLElement>('h2');
    if (title) title.tabIndex = -1;
    (field ?? title)?.focus({ preventScroll: true });
  }, [id, isLoading]);
}
