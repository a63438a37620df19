import Download from 'icon:download';
import type { Hub } from '@hub/contract';
import { useState } from 'preact/hooks';
import { urlOf } from '../../data/request.ts';
import { Problem } from '../problem.tsx';

/**
 * Downloads everything in a Hub. A HEAD request is sent first, so that an error is shown here instead of being saved as
 * a file.
 */
export function ExportSection({ hub: { id, isMember } }: { hub: Hub }) {
  const [error, setError] = useState('');
  const address = urlOf('GET /hubs/{hubId}/export', { hubId: id });
  const save = async (event: MouseEvent) => {
    event.preventDefault();
    setError('');
    const response = await fetch(address, { method: 'HEAD' }).catch(() => null);
    if (response?.ok) return download(address);
    setError(
      response === null
        ? "Can't reach the server. Check your connection and try again."
        : `Export failed (${response.status}). You may no longer be a member of this Hub. Reload the page.`,
    );
  };
  return (
    <section class="settings-section" aria-labelledby="hub-export">
      <h2 id="hub-export">Export</h2>
      <p>Download all messages, notes, to-dos and members as one JSON file. Exports are recorded in the audit log.</p>
      {isMember ? (
        <a class="btn" href={address} download onClick={(event) => void save(event)}>
          <Download /> Export as JSON
        </a>
      ) : (
        <p class="help">Only members can export a Hub. Add yourself first.</p>
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
