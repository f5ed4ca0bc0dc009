import { afterAll, beforeAll, onTestFinished } from "vitest";

type CleanUp = () => unknown;
let ofFile: CleanUp[] | undefined;

/** Has something undone when the test has finished, or the file when it is shared by its tests. */
export function onFinished(cleanUp: CleanUp): void {
  if (ofFile) ofFile.unshift(cleanUp);
  else onTestFinished(async () => void (await cleanUp()));
}

/** Something that all tests of a file share, made before the first and undone after the last. */
export function sharedByFile<T>(make: () => Promise<T>): () => T {
  let value: T | undefined;
  const cleanUps: CleanUp[] = [];
  beforeAll(async () => {
    ofFile = cleanUps;
    try {
      value = await make();
    } finally {
      ofFile = undefined;
    }
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  return () => {
    if (value === undefined) throw new Error("what the tests of this file share is not there yet");
    return value;
  };
}
