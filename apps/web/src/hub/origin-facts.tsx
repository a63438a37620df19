import Copy from 'icon:copy';
import type { ItemOrigin } from '@hub/contract';
import { LOCALE } from '../time/format.ts';
import { copyText } from '../ui/clipboard.ts';

const exact = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** The request that created a post: its time, its address and its id in the server's logs. */
export function OriginFacts({ createdAt, origin: { address, requestId } }: { createdAt: string; origin: ItemOrigin }) {
  return (
    <>
      <dt>Posted</dt>
      <dd>
        <time dateTime={createdAt}>{exact.format(new Date(createdAt))}</time>
      </dd>
      <dt>From</dt>
      <dd class="mono">{address}</dd>
      <dt>Request</dt>
      <dd>
        <span class="mono origin-id">{requestId}</span>
        <button
          class="icon-btn is-small"
          type="button"
          aria-label="Copy request ID"
          title="Copy request ID"
          onClick={() => void copyText(requestId, 'Request ID copied.')}
        >
          <Copy />
        </button>
      </dd>
    </>
  );
}
