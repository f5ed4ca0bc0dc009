import { Component, type ReactNode } from "react";
import { ProblemNotice } from "../parts/problem-notice.tsx";

interface ErrorBoundaryProps {
  children: ReactNode;
}

/** Shows what a page has failed with in its place, and leaves the rest as it is. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    if (!("error" in this.state)) return this.props.children;
    return <ProblemNotice error={this.state.error} onRetry={() => window.location.reload()} />;
  }
}
