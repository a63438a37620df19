import { Component, type ComponentChildren } from 'preact';
import { ErrorNotice } from './error-notice.tsx';

interface ErrorBoundaryProps {
  /** The name of this part, for the message: "This page". */
  what: string;
  /** The current path; the error resets when it changes. */
  at?: string;
  children: ComponentChildren;
}

/** Confines an error to one part of the page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state = { error: null };

  override componentDidCatch(error: unknown): void {
    // Details go to the console; the page itself tells the user what to do.
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
          title={`${what} couldn’t be displayed`}
          text="Something went wrong in your browser. Try again or reload the page; nothing you sent is lost."
          onRetry={() => this.setState({ error: null })}
          isByHand
        />
      </div>
    );
  }
}
