import type { ServerStatus } from '@hub/contract';
import type { ComponentChildren } from 'preact';
import { request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { When } from '../../item-text/when.tsx';
import { LOCALE } from '../../time/format.ts';
import { sizeText } from './size-text.ts';

/** The version, uptime and contents of the server. */
export function ServerSection() {
  const load = (signal: AbortSignal) => request('GET /status', { signal });
  const { state, reload } = useResource(load, { topics: ['hubs', 'keys', 'workspace'] });
  return (
    <section class="settings-section" aria-labelledby="server">
      <h2 id="server">Server</h2>
      {state.status === 'loading' && <Loading />}
      {state.status === 'failed' && <ErrorNotice text={state.text} onRetry={reload} />}
      {state.status === 'ready' && <Facts {...state.value} />}
    </section>
  );
}

function Facts(facts: ServerStatus) {
  const { version, baseUrl, plainHttpHost, startedAt, databaseBytes, walBytes, hubs, keys, items, lastBackup } = facts;
  return (
    <dl class="facts server-facts">
      <Fact name="Version">{version}</Fact>
      <Fact name="Address">
        <code>{baseUrl}</code>
      </Fact>
      {plainHttpHost !== null && (
        <Fact name="Encryption">
          None, and others can reach it at <code>{plainHttpHost}</code>: keys and passwords can be read in transit. Run{' '}
          <code>hubctl doctor</code> for a fix.
        </Fact>
      )}
      <Fact name="Running since">
        <When at={startedAt} />
      </Fact>
      <Fact name="Contents">
        {count(items, 'item')} in {count(hubs, 'Hub')}, {count(keys, 'key')} that can post
      </Fact>
      <Fact name="On disk">{sizeText(databaseBytes + walBytes)}</Fact>
      <Fact name="Last backup">
        {lastBackup === null ? (
          <>
            None yet. Owners can take one with <code>hubctl backup FILE</code> while the server runs.
          </>
        ) : (
          <>
            <When at={lastBackup.takenAt} />, {sizeText(lastBackup.bytes)}
          </>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString(LOCALE)} ${noun}${number === 1 ? '' : 's'}`;
}
