import { superviseAgents } from "./supervise-agents.ts";

superviseAgents();
