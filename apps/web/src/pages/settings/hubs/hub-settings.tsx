import type { Hub } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { ArchiveRestore, ArrowLeft, Download, Trash2 } from 'icons';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { NoResponse, request, urlOf } from '../../../data/request.ts';
import { countOf } from '../../../lib/count-text.ts';
import { download } from '../../../lib/download.ts';
import { navigate } from '../../../lib/router/location.ts';
import { fullTime } from '../../../lib/time/format.ts';
import { Button } from '../../../ui/button.tsx';
import { useConfirm } from '../../../ui/forms/confirm.tsx';
import { NameForm, Problem, useTask } from '../../../ui/forms/form.tsx';
import { PageBody, Section } from '../../../ui/forms/page-body.tsx';
import { toast } from '../../../ui/toast.tsx';
import { DuplicateName } from '../../new-hub/new-hub-dialog.tsx';
import { retentionText } from '../settings-texts.ts';
import { HubMembersSection, RetentionSection } from './hub-sections.tsx';

interface HubSettingsProps {
  hub: Hub;
  onChanged: () => Promise<void>;
}

export function HubSettings({ hub, onChanged }: HubSettingsProps) {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const { id, name, deletedAt, retentionDays } = hub;
  return (
    <PageBody
      title={name}
      about={`Items are kept ${retentionText(retentionDays)}.`}
      variant="is-own hub-settings"
      back={
        <a class="back-link" href="/settings/hubs">
          <ArrowLeft /> All Hubs
        </a>
      }
      action={
        hub.isMember &&
        deletedAt === null && (
          <a class="btn" href={`/hubs/${id}`}>
            Open Hub
          </a>
        )
      }
    >
      {deletedAt === null ? (
        <>
          {isAdmin && (
            <Section id="hub-name-head" title="Name and topic">
              <NameField hub={hub} onChanged={onChanged} />
              <TopicField hub={hub} onChanged={onChanged} />
            </Section>
          )}
          <HubMembersSection hub={hub} onChanged={onChanged} />
          <KeysSection hub={hub} />
          {isAdmin && <RetentionSection hub={hub} onChanged={onChanged} />}
          <ExportSection hub={hub} />
          {isAdmin && <DeleteHubSection hub={hub} onChanged={onChanged} />}
        </>
      ) : (
        <Deleted hub={hub} deletedAt={deletedAt} onChanged={onChanged} />
      )}
    </PageBody>
  );
}

function NameField({ hub: { id, name }, onChanged }: HubSettingsProps) {
  return (
    <NameForm
      id="hub-name"
      label="Hub name"
      maxLength={LIMITS.hubNameCodePoints}
      saved={name}
      submitLabel="Rename"
      remark={(name) => <DuplicateName name={name} hubId={id} />}
      onSave={async (name) => {
        await request('PATCH /hubs/{hubId}', { hubId: id, body: { name } });
        await onChanged();
        toast(`Renamed to ${name}.`);
      }}
    />
  );
}

function TopicField({ hub: { id, topic }, onChanged }: HubSettingsProps) {
  return (
    <NameForm
      label="Topic"
      help="One line in the header of the Hub. Web addresses in it become links."
      placeholder="Runbook: https://wiki.example.com/deploys"
      maxLength={LIMITS.hubTopicCodePoints}
      saved={topic ?? ''}
      missing=""
      onSave={async (text) => {
        await request('PATCH /hubs/{hubId}', { hubId: id, body: { topic: text || null } });
        await onChanged();
        toast(text === '' ? 'Topic removed.' : 'Topic saved.');
      }}
    />
  );
}

function KeysSection({ hub: { id, keyCount = null } }: { hub: Hub }) {
  if (keyCount === null) return null;
  return (
    <Section id="hub-keys" title="Keys">
      <p>
        {keyCount === 0 ? 'No keys can post here yet. ' : `${countOf(keyCount, 'key')} can post here. `}
        <a class="link" href={`/settings/keys?hub=${id}`}>
          View keys
        </a>
      </p>
    </Section>
  );
}

/**
 * Downloads everything in a Hub. A HEAD request is sent first, so that an error is shown here instead of being saved as
 * a file.
 */
function ExportSection({ hub: { id, isMember } }: { hub: Hub }) {
  const { run, error } = useTask();
  const save = async (address: string) => {
    const response = await fetch(address, { method: 'HEAD' }).catch(() => null);
    if (response === null) throw new NoResponse();
    if (!response.ok)
      throw new Error(
        `Export failed (${response.status}). You may no longer be a member of this Hub. Reload the page.`,
      );
    download(address);
  };
  return (
    <Section id="hub-export" title="Export">
      <p>
        Download all messages, notes, to-dos and members as one JSON file, or as a ZIP archive with all files. Exports
        are recorded in the audit log.
      </p>
      {isMember ? (
        <div class="actions">
          {(['export', 'archive'] as const).map((path) => (
            <a
              key={path}
              class="btn"
              href={urlOf(`GET /hubs/{hubId}/${path}`, { hubId: id })}
              download
              onClick={(event) => {
                event.preventDefault();
                void run(() => save(event.currentTarget.href));
              }}
            >
              <Download /> {path === 'export' ? 'Export as JSON' : 'Export with files'}
            </a>
          ))}
        </div>
      ) : (
        <p class="help">Only members can export a Hub. Add yourself first.</p>
      )}
      <Problem text={error} />
    </Section>
  );
}

function DeleteHubSection({ hub: { id, name, keyCount }, onChanged }: HubSettingsProps) {
  const { hubs } = useWorkspace();
  const { ask, dialog } = useConfirm();
  const remove = () =>
    ask({
      title: `Delete ${name}?`,
      description: `The Hub closes for everyone immediately, and ${keyCount ? countOf(keyCount, 'key') : 'its keys'} will get 404. To restore it, choose “Show deleted” in the list of Hubs.`,
      typed: { word: name, label: 'Type the Hub’s name to confirm' },
      submitLabel: 'Delete Hub',
      isDestructive: true,
      onAct: async () => {
        await request('DELETE /hubs/{hubId}', { hubId: id });
        await Promise.all([onChanged(), hubs.load()]);
        toast(`${name} deleted.`);
      },
      onDone: () => navigate('/settings/hubs'),
    });
  return (
    <>
      <Section id="hub-delete" title="Delete this Hub">
        <p>Its keys stop working, and the Hub closes for everyone. Nothing is erased, and an admin can restore it.</p>
        <Button variant="is-danger" icon={<Trash2 />} label="Delete Hub" onClick={remove} />
      </Section>
      {dialog}
    </>
  );
}

function Deleted({ hub, deletedAt, onChanged }: HubSettingsProps & { deletedAt: string }) {
  const { restore, dialog } = useRestoration(onChanged);
  return (
    <>
      <Section id="hub-deleted" title="Deleted">
        <p>
          Deleted on {fullTime(deletedAt)}. Its keys get 404 and nobody can see it. Items, keys and members are kept.
        </p>
        <Button icon={<ArchiveRestore />} label="Restore Hub" onClick={() => restore(hub)} />
      </Section>
      {dialog}
    </>
  );
}

/** Returns what restores a deleted Hub after a confirmation, and its dialog. */
export function useRestoration(onChanged: () => Promise<void>) {
  const { hubs } = useWorkspace();
  const { ask, dialog } = useConfirm();
  const restore = ({ id, name }: Hub) =>
    ask({
      title: `Restore ${name}?`,
      description: 'Its items, keys and members come back. Keys that are still valid can post again immediately.',
      submitLabel: 'Restore Hub',
      onAct: async () => {
        await request('POST /hubs/{hubId}/restoration', { hubId: id });
        await Promise.all([onChanged(), hubs.load()]);
        toast(`${name} restored.`);
      },
    });
  return { restore, dialog };
}
