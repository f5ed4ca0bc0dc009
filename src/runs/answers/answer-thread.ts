import { parentPort } from "node:worker_threads";
import { answerAsThread } from "../../platform/work-thread.ts";
import { answerTo, type ToAnswer } from "./check-answer.ts";

answerAsThread(parentPort, (message: ToAnswer) => ({ answer: answerTo(message) }));
