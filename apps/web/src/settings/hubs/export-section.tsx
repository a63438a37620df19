import Download from 'icon:download';
import type { Hub } from '@hub/contract';
import { useState } from 'preact/hooks';
import { Problem } from '../problem.tsx';

/** All that is in a Hub, as a file. It is asked first, so that a refusal is said here and not saved as a file. */
export function ExportSection({ hub: { id, isMember } }: { hub: Hub }) {
  const [error, setError] = useState('');
  const address = `/api/v1/hubs/${encodeURIComponent(id)}/export`;
  const save = async (event: MouseEvent) => {
    event.preventDefault();
    setError('');
    const response = await fetch(address, { method: 'HEAD' }).catch(() => null);
    if (response?.ok) return download(address);
    setError(
      response === null
        ? 'The server cannot be reached. Check your connection, then try again.'
        : `The server refused it (${response.status}). You may not belong to this Hub any more: load the page anew.`,
    );
  };
  return (
    <section class="settings-section" aria-labelledby="hub-export">
      <h2 id="hub-export">Export</h2>
      <p>
        Every message, note and to-do with its members, as one JSON file. The audit log says who exported it and when.
      </p>
      {isMember ? (
        <a class="btn" href={address} download onClick={(event) => void save(event)}>
          <Download /> Export as JSON
        </a>
      ) : (
        <p class="help">Only members export a Hub. Add yourself first.</p>
      )}
      <Problem id="hub-export-error" text={error} />
    </section>
  );
}

function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
