import { hostAgents } from "./host-agents.ts";

hostAgents();
