import { Component, type ComponentChildren } from 'preact';
import { ErrorNotice } from './error-notice.tsx';

interface ErrorBoundaryProps {
  /** What of the page this is, for the words: "This page". */
  what: string;
  /** Where one is: elsewhere it begins anew. */
  at?: string;
  children: ComponentChildren;
}

/** Keeps what fails in one part of the page from taking the rest along. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state = { error: null };

  override componentDidCatch(error: unknown): void {
    // For whoever looks into it: the page itself shows what to do.
    reportError(error);
    this.setState({ error });
  }

  override componentDidUpdate({ at }: ErrorBoundaryProps): void {
    if (this.state.error !== null && at !== this.props.at) this.setState({ error: null });
  }

  override render() {
    const { what, children } = this.props;
    if (this.state.error === null) return children;
    return (
      <div class="broken">
        <ErrorNotice
          title={`${what} does not work`}
          text="Something in it went wrong, here and not on the server. Try again, or load the page anew; nothing that was sent is lost."
          onAgain={() => this.setState({ error: null })}
          isByHand
        />
      </div>
    );
  }
}
