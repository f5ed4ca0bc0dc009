import { beforeEach } from "vitest";

/**
 * Files that tests write are read by agents and servers of other users. A data folder that is opened in the process of the tests
 * makes every later file private, also those of the test files that the same worker runs next.
 */
beforeEach(() => {
  process.umask(0o022);
});
