import type { ServerStatus } from '@hub/contract';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorMessage, request } from '../../api/request.ts';
import { ErrorNotice } from '../../frame/error-notice.tsx';
import { Loading } from '../../frame/loading.tsx';
import { When } from '../../item-text/when.tsx';
import { LOCALE } from '../../time/format.ts';
import { useWorkspaceChanges } from '../../workspace/use-workspace-changes.ts';
import { sizeText } from './size-text.ts';

type Status = { status: 'loading' } | { status: 'ready'; facts: ServerStatus } | { status: 'failed'; text: string };

/** The version, uptime and contents of the server. */
export function ServerSection() {
  const [status, set] = useState<Status>({ status: 'loading' });
  const load = async () => {
    try {
      set({ status: 'ready', facts: await request<ServerStatus>('GET', '/status') });
    } catch (error) {
      set((shown) => (shown.status === 'ready' ? shown : { status: 'failed', text: errorMessage(error) }));
    }
  };
  useEffect(() => void load(), []);
  useWorkspaceChanges(['hubs', 'keys', 'workspace'], () => void load());
  return (
    <section class="settings-section" aria-labelledby="server">
      <h2 id="server">Server</h2>
      {status.status === 'loading' && <Loading />}
      {status.status === 'failed' && <ErrorNotice text={status.text} onRetry={load} />}
      {status.status === 'ready' && <Facts {...status.facts} />}
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
