import type { Hub, HubFile } from '@hub/contract';
import { Download, File as FileIcon } from 'icons';
import { useEffect, useState } from 'preact/hooks';
import { authorText } from '../../data/items/item.ts';
import { usePages } from '../../data/live/use-pages.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { sizeText } from '../../lib/count-text.ts';
import { fileUrl, isImage, itemUrl, kindLabel } from '../../lib/items.ts';
import { shownText } from '../../lib/posts/shown-text.ts';
import { ListEnd } from '../../ui/items/item-rows.tsx';
import { When } from '../../ui/items/when.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../ui/page/load-states.tsx';

/** The files of a Hub, newest first. Each leads to the message, note or to-do that shows it. */
export function FilesTab({ hub }: { hub: Hub }) {
  const { hubs } = useWorkspace();
  /** Counts the deletions and restorations, after which the list starts over. */
  const [version, setVersion] = useState(0);
  const { pages, loadMore, refresh } = usePages<HubFile>(
    (before, signal) => request('GET /hubs/{hubId}/files', { hubId: hub.id, query: { before }, signal }),
    { key: `${hub.id} ${version}`, topics: [] },
  );
  useEffect(
    () =>
      hubs.onEvent(({ hubId, event }) => {
        if (hubId !== hub.id) return;
        if (event.endsWith('.created')) refresh();
        if (/deleted|restored|removed|changed/.test(event)) setVersion((count) => count + 1);
      }),
    [hub.id],
  );
  const { items, status, text, next } = pages;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`Files in ${hub.name}`}>
      <ul class="hub-files">
        {items.map((file) => (
          <FileRow key={file.id} file={file} hubId={hub.id} />
        ))}
      </ul>
      {status === 'failed' && <ErrorNotice text={text} onRetry={loadMore} />}
      {status === 'loading' && items.length === 0 && <Loading what="Loading files" />}
      {status === 'ready' && items.length === 0 && (
        <EmptyState title="No files yet" text="Files that are attached to messages, notes and to-dos appear here." />
      )}
      <ListEnd state={next === null ? null : items.length} onNear={loadMore} />
    </div>
  );
}

function FileRow({ file, hubId }: { file: HubFile; hubId: string }) {
  return (
    <li>
      <a class="hub-file" href={itemUrl({ ...itemOf(file), hubId })}>
        {isImage(file) ? (
          <img
            src={`${fileUrl(file)}/preview`}
            alt=""
            loading="lazy"
            decoding="async"
            style={file.color === undefined ? undefined : { backgroundColor: file.color }}
          />
        ) : (
          <span class="kind">
            <FileIcon />
          </span>
        )}
        <bdi class="cut">{shownText(file.name)}</bdi>
        <span class="sub">
          {sizeText(file.size)} · <When at={file.createdAt} />
        </span>
        <span class="sub cut">
          {kindLabel(itemOf(file))} by <bdi>{authorText(file)}</bdi>
        </span>
      </a>
      <a
        class="icon-btn is-small"
        href={fileUrl(file)}
        download={file.name}
        aria-label={`Download ${shownText(file.name)}`}
      >
        <Download />
      </a>
    </li>
  );
}

/** The kind of an item is the prefix of its id. */
function itemOf({ itemId, parentId }: HubFile) {
  const [prefix] = itemId.split('_');
  const kind = prefix === 'note' || prefix === 'todo' ? prefix : ('message' as const);
  return { id: itemId, kind, parentId } as const;
}
