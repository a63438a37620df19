import type { NoticeSettings } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { request, wordsOf } from '../../api/request.ts';
import { Loading } from '../../frame/loading.tsx';
import { Trouble } from '../../frame/trouble.tsx';
import { PageHead } from '../page-head.tsx';
import { BrowserSection } from './browser-section.tsx';
import { HubsSection } from './hubs-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { NewsSection } from './news-section.tsx';
import { QuietSection } from './quiet-section.tsx';

type State =
  | { status: 'loading' }
  | { status: 'ready'; settings: NoticeSettings }
  | { status: 'failed'; words: string };

/** What oneself is told of, and how: the choices are kept on the server, but for those of this browser. */
export function NoticesPage() {
  const [state, setState] = useState<State>({ status: 'loading' });
  const load = async () => {
    try {
      setState({ status: 'ready', settings: await request<NoticeSettings>('GET', '/me/notices') });
    } catch (error) {
      setState({ status: 'failed', words: wordsOf(error) });
    }
  };
  useEffect(() => void load(), []);
  const take = (settings: NoticeSettings) => setState({ status: 'ready', settings });
  return (
    <div class="settings-in is-own">
      <PageHead title="Notices" about="What you are told of while you look elsewhere." />
      {state.status === 'loading' && <Loading />}
      {state.status === 'failed' && <Trouble words={state.words} onAgain={load} />}
      {state.status === 'ready' && (
        <>
          <BrowserSection settings={state.settings} />
          <NewsSection settings={state.settings} onChange={take} />
          <QuietSection settings={state.settings} onChange={take} />
          <HubsSection settings={state.settings} onChange={take} />
          <KeysSection settings={state.settings} onChange={take} />
        </>
      )}
    </div>
  );
}
