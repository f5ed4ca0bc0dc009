import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { Models } from "../api/client.ts";
import { factoriesQuery } from "../api/queries.ts";

const KEY = "millrace-factory";

/** The factory that pages are about: the one in the address, else the one that was looked at last, else the first. */
export function useFactory(): {
  factory: Models["Factory"] | undefined;
  factories: Models["Factory"][];
  isLoading: boolean;
} {
  const [path] = useLocation();
  const { data: factories = [], isPending: isLoading } = useQuery(factoriesQuery);
  const named = factoryIn(path) ?? localStorage.getItem(KEY);
  const factory = factories.find(({ name, uid }) => name === named || uid === named) ?? factories[0];
  return { factory, factories, isLoading };
}

/** Remembers which factory pages are about that do not name one. */
export function chooseFactory(uid: string): void {
  localStorage.setItem(KEY, uid);
}

function factoryIn(path: string): string | undefined {
  const segment = /^\/factories\/([^/]+)/.exec(path)?.[1];
  return segment === undefined ? undefined : decodeURIComponent(segment);
}
