import { serveFileJobs } from "./serve-file-jobs.ts";

serveFileJobs();
