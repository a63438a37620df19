import { useWorkspace } from '../workspace/workspace.ts';

/** Quiet as long as all is well. */
export function ConnectionState() {
  const { status } = useWorkspace().hubs.connection.value;
  const isLive = status === 'live';
  return (
    <span class={isLive ? 'live' : 'live is-off'} role="status">
      <span>{isLive ? 'Live' : 'Reconnecting'}</span>
    </span>
  );
}
