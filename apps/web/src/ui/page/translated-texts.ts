/** A translation, and the texts that it replaced. */
interface Translation {
  font: Node;
  originals: Map<Text, string>;
}

/**
 * Keeps a page up to date while the browser translates it. Chromium replaces texts by `font` elements, or puts them into
 * such elements. Preact and signals would go on changing texts that are no longer in the page, or insert elements next
 * to them. Each text therefore returns to its place, empty, behind its translation. When the app changes, moves or
 * removes it, the translation is removed, and the browser translates the new text.
 */
export function keepTranslatedTexts(): void {
  const translations = new WeakMap<Node, Translation>();

  /** Shows the texts again, except those that the app has changed. */
  const end = ({ font, originals }: Translation, changed: ReadonlySet<Node>) => {
    font.parentNode?.removeChild(font);
    translations.delete(font);
    for (const [text, original] of originals) {
      translations.delete(text);
      if (!changed.has(text)) text.data = original;
    }
  };

  const begin = (font: Element, text: Text) => {
    const translation = translations.get(font) ?? { font, originals: new Map<Text, string>() };
    if (font.contains(text)) text.replaceWith(text.data);
    ([...translation.originals.keys()].at(-1) ?? font).after(text);
    translation.originals.set(text, text.data);
    text.data = '';
    translations.set(font, translation).set(text, translation);
  };

  const observer = new MutationObserver((records) => {
    const fonts = new Set<Node>();
    const changed = new Set<Node>();
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') changed.add(target);
      for (const node of addedNodes) if (node.nodeName === 'FONT' && node.parentNode === target) fonts.add(node);
    }
    for (const text of changed) {
      const translation = translations.get(text);
      if (translation) end(translation, changed);
    }
    for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records)
      for (const node of removedNodes) {
        const translation = translations.get(node);
        if (translation) end(translation, changed);
        else if (node instanceof Text) {
          const font = [...addedNodes, previousSibling, nextSibling].find((near) => near && fonts.has(near));
          if (font) begin(font as Element, node);
        }
      }
    // The changes made above.
    observer.takeRecords();
  });
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
}
