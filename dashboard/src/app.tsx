import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef } from "react";
import { RouterProvider } from "react-aria-components";
import { Router, useLocation } from "wouter";
import { BASE } from "./api/base.ts";
import { whoamiQuery } from "./api/queries.ts";
import { queryClient } from "./api/query-client.ts";
import { ErrorBoundary } from "./frame/error-boundary.tsx";
import { Frame } from "./frame/frame.tsx";
import { followChanges } from "./live/follow-changes.ts";
import { Announcer } from "./parts/announcer.tsx";
import { Loaded } from "./parts/tables/loaded.tsx";
import { later } from "./parts/time/later.tsx";
import { Routes } from "./routes.tsx";

const signIn = later(async () => (await import("./pages/sign-in/sign-in.tsx")).SignIn);

/** The dashboard: anyone who is signed in sees pages, everybody else the way in. */
export function App() {
  return (
    <Router base={BASE}>
      <Located />
    </Router>
  );
}

/** What knows its address, which is told without what stands before it everywhere. */
function Located() {
  const [, navigate] = useLocation();
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider navigate={navigate} useHref={(href) => BASE + href}>
        <ErrorBoundary>
          <Entrance />
        </ErrorBoundary>
        <Announcer />
      </RouterProvider>
    </QueryClientProvider>
  );
}

function Entrance() {
  const whoami = useQuery(whoamiQuery);
  const wasSignedIn = useRef(false);
  if (whoami.data) wasSignedIn.current = true;
  return (
    <Loaded query={whoami} rows={0}>
      {(who) =>
        who ? (
          <SignedIn />
        ) : (
          <Suspense>
            <signIn.Part hasEnded={wasSignedIn.current} />
          </Suspense>
        )
      }
    </Loaded>
  );
}

function SignedIn() {
  const [path] = useLocation();
  useEffect(() => followChanges(), []);
  return (
    <Frame>
      <ErrorBoundary key={path}>
        <Routes />
      </ErrorBoundary>
    </Frame>
  );
}
