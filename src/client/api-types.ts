// Made by `npm run generate` from the API's description (src/api/contract/). Do not edit.

export interface paths {
    "/agent/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a run
         * @deprecated
         */
        post: operations["createRunAlias"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List runs, the last updated first */
        get: operations["listRuns"];
        put?: never;
        /** Start a run */
        post: operations["createRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a run */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files that a run was given */
        get: operations["listAttachments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/attachments/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a file that a run was given, byte for byte */
        get: operations["getAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get what the agent wrote, as text or as a stream of events */
        get: operations["getTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the factories of this server */
        get: operations["listFactories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a factory: its source, what is in force, and what is wrong */
        get: operations["getFactory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look at the source now */
        post: operations["syncFactory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhooks of a factory */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/webhooks/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook, also one that has been deleted */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/webhooks/{uid}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the recent deliveries of a webhook, newest first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a delivery, with the payload of an accepted one */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/webhooks/{uid}/test-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign a delivery in the webhook's own mode and scheme, and post it to the webhook */
        post: operations["sendTestDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/deliveries/{delivery_id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why each automation would or would not start a run for a delivery, by the definition in force */
        get: operations["explainDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take an accepted delivery in once more, by the definition in force */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/filter-test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether a filter would trigger for a stored delivery or a body, and why */
        post: operations["testFilter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/deliveries/{delivery_id}/payload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the body of an accepted delivery, byte for byte */
        get: operations["getPayload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/automations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the automations of a factory */
        get: operations["listAutomations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/automations/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an automation */
        get: operations["getAutomation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the team's secrets, without their values */
        get: operations["listSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/secrets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Give a secret its value, which cannot be read again */
        put: operations["setSecret"];
        post?: never;
        /** Delete a secret that no definition uses */
        delete: operations["deleteSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys, without their values */
        get: operations["listApiKeys"];
        put?: never;
        /** Make an API key, which is shown this once */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key at once */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Where a run stands.
         * @enum {string}
         */
        RunState: "QUEUED" | "PENDING" | "CLAIMED" | "INPROGRESS" | "SUCCEEDED" | "FAILED" | "BLOCKED" | "ERROR" | "CANCELLED";
        /**
         * @description How a run was started.
         * @enum {string}
         */
        RunSourceType: "API" | "CLI" | "WEB_APP" | "CUSTOM_WEBHOOK" | "SCHEDULED_AGENT";
        RunCreatorInfo: {
            /** @enum {string} */
            type?: "user" | "service_account";
            uid?: string;
            display_name?: string;
            email?: string;
            photo_url?: string;
        };
        RunStatusMessage: {
            message: string;
            error_code?: string;
            retryable?: boolean;
        };
        PageInfo: {
            has_next_page: boolean;
            next_cursor?: string;
        };
        /** @description One of warp_id, command and url. */
        MCPServerConfig: {
            warp_id?: string;
            command?: string;
            url?: string;
            args?: string[];
            env?: {
                [key: string]: string;
            };
            headers?: {
                [key: string]: string;
            };
        };
        /** @description How an agent runs. All keys are optional. */
        AmbientAgentConfig: {
            name?: string;
            model_id?: string;
            base_prompt?: string;
            environment_id?: string;
            runner_id?: string;
            skill_spec?: string;
            skills?: string[];
            mcp_servers?: {
                [key: string]: components["schemas"]["MCPServerConfig"];
            };
            computer_use_enabled?: boolean;
            computer_use_model_id?: string;
            idle_timeout_minutes?: number;
            worker_host?: string;
            harness?: {
                type?: string;
                model_id?: string;
                reasoning_level?: string;
            };
            harness_auth_secrets?: {
                claude_auth_secret_name?: string;
                codex_auth_secret_name?: string;
            };
            session_sharing?: {
                /** @enum {string} */
                public_access?: "VIEWER" | "EDITOR";
            };
            memory_stores?: {
                uid: string;
                /** @enum {string} */
                access: "read_write" | "read_only";
                instructions: string;
            }[];
            inference_providers?: Record<string, unknown>;
            /** @enum {string|null} */
            credential_strategy?: "CREATOR" | "EXECUTOR" | null;
            secrets?: {
                name: string;
            }[];
            experimental?: Record<string, unknown>;
        };
        RunItem: {
            /** Format: uuid */
            run_id: string;
            /**
             * Format: uuid
             * @deprecated
             * @description The same as run_id.
             */
            task_id: string;
            /** Format: uuid */
            root_run_id: string;
            title: string;
            /** @description What the agent was asked. */
            prompt: string;
            state: components["schemas"]["RunState"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            started_at?: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /** @description ISO 8601 duration. */
            run_time?: string;
            status_message?: components["schemas"]["RunStatusMessage"];
            source: components["schemas"]["RunSourceType"];
            /** @enum {string} */
            execution_location?: "LOCAL" | "REMOTE";
            /** Format: uuid */
            session_id?: string;
            /** Format: uri */
            session_link?: string;
            creator: components["schemas"]["RunCreatorInfo"];
            executor?: components["schemas"]["RunCreatorInfo"];
            agent_config?: components["schemas"]["AmbientAgentConfig"];
            metadata?: {
                [key: string]: string;
            };
            is_sandbox_running?: boolean;
            is_run_type_cancellable?: boolean;
            scope?: {
                /** @enum {string} */
                type: "User" | "Team";
                uid?: string;
            };
            factory_uid?: string;
            automation_id?: string;
            delivery_id?: string;
            webhook_uid?: string;
        };
        RunAgentRequest: {
            prompt: string;
            title?: string;
            config?: components["schemas"]["AmbientAgentConfig"];
            agent_identity_uid?: string;
            metadata?: {
                [key: string]: string;
            };
            attachments?: components["schemas"]["AttachmentInput"][];
        };
        AttachmentInput: {
            /** @description A file name without a path, at most 255 bytes, another one for each attachment, and none that the run's own files have. */
            file_name: string;
            mime_type: string;
            /** @description The bytes in base64. */
            data: string;
        };
        RunAgentResponse: {
            /** Format: uuid */
            run_id: string;
            /**
             * Format: uuid
             * @deprecated
             */
            task_id: string;
            state: components["schemas"]["RunState"];
            /** @description Whether the run waits for another one to end. */
            at_capacity: boolean;
        };
        ListRunsResponse: {
            runs: components["schemas"]["RunItem"][];
            page_info: components["schemas"]["PageInfo"];
        };
        AttachmentList: {
            attachments: {
                name: string;
                size: number;
                mime_type: string;
            }[];
        };
        /** @description RFC 9457 problem details. */
        Error: {
            /**
             * Format: uri
             * @description Ends in the error code.
             */
            type: string;
            title: string;
            status: number;
            error: string;
            detail?: string;
            remedy?: string;
            instance?: string;
            retryable?: boolean;
            trace_id?: string;
        };
        Problem: {
            code: string;
            message: string;
            path: string;
            line: number;
            column: number;
            /** @enum {string} */
            severity: "error" | "warning" | "notice";
        };
        Factory: {
            uid: string;
            name: string;
            /** @enum {string} */
            mode: "repository" | "managed" | "folder";
            source: {
                url?: string;
                branch?: string;
                path: string;
            };
            sync: {
                /** @enum {string} */
                status: "synced" | "pending" | "failed" | "suspended";
                attempted_revision: string | null;
                /** Format: date-time */
                attempted_at: string | null;
                applied_revision: string | null;
                /** Format: date-time */
                applied_at: string | null;
                problems: components["schemas"]["Problem"][];
            };
        };
        FactoryList: {
            factories: components["schemas"]["Factory"][];
            page_info: components["schemas"]["PageInfo"];
        };
        DefinedIn: {
            path: string;
            url: string | null;
        };
        Webhook: {
            uid: string;
            name: string;
            factory: string;
            /** @enum {string} */
            auth_mode: "token" | "url_token" | "signature";
            signature_scheme: string | null;
            secret_name: string;
            delivery_id_header: string | null;
            enabled: boolean;
            /** @enum {string} */
            status: "active" | "disabled" | "awaiting_secret" | "deleted";
            /** @description The ingress URL; of a url_token webhook it ends in {token}. */
            url: string;
            defined_in: components["schemas"]["DefinedIn"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookList: {
            webhooks: components["schemas"]["Webhook"][];
            page_info: components["schemas"]["PageInfo"];
        };
        Delivery: {
            delivery_id: string;
            webhook_uid: string;
            /** @enum {string} */
            outcome: "Accepted" | "Duplicate" | "Rejected (auth)" | "Rejected (invalid JSON)" | "Rejected (too large)";
            size: number;
            /** Format: date-time */
            time: string;
            identity: {
                /** @enum {string} */
                source: "configured_header" | "provider" | "service_header" | "body_hash" | "redelivery";
                value: string;
            } | null;
            /** @description Why it was refused, for the owner of the webhook. */
            reason: string | null;
            body_differs: boolean | null;
            duplicate_of: string | null;
            redelivery_of: string | null;
            run_ids: string[];
            /** @description The parsed body, only on one accepted delivery fetched by its id. */
            payload?: unknown;
        };
        DeliveryList: {
            deliveries: components["schemas"]["Delivery"][];
            page_info: components["schemas"]["PageInfo"];
        };
        Automation: {
            uid: string;
            name: string;
            enabled: boolean;
            agent: string;
            triggers: components["schemas"]["AutomationTrigger"][];
            prompt: string;
            defined_in: components["schemas"]["DefinedIn"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AutomationTrigger: {
            provider: string;
            event: string;
            webhooks?: components["schemas"]["SelectedWebhook"][];
            /** @description The payload filter as written. */
            payload?: Record<string, unknown>;
            schedule?: {
                cron?: string;
                name?: string;
            };
            /** @description The filter of another provider as written. */
            filter?: Record<string, unknown>;
        };
        /** @description A webhook that a trigger selects; the uid or the name is null when it names nothing. */
        SelectedWebhook: {
            uid: string | null;
            name: string | null;
        };
        AutomationList: {
            automations: components["schemas"]["Automation"][];
            page_info: components["schemas"]["PageInfo"];
        };
        Secret: {
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SecretList: {
            secrets: components["schemas"]["Secret"][];
            page_info: components["schemas"]["PageInfo"];
        };
        SecretValue: {
            value: string;
        };
        ApiKey: {
            id: string;
            name: string;
            /** @enum {string} */
            kind: "personal" | "agent";
            /** @enum {string} */
            role: "viewer" | "operator" | "admin";
            /** @description Uids; null reaches every factory. */
            factories: string[] | null;
            /** @description The first characters of the key, to recognise it by. */
            prefix: string;
            principal: components["schemas"]["RunCreatorInfo"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
        };
        ApiKeyList: {
            api_keys: components["schemas"]["ApiKey"][];
            page_info: components["schemas"]["PageInfo"];
        };
        NewApiKey: {
            name: string;
            /** @enum {string} */
            kind?: "personal" | "agent";
            /** @enum {string} */
            role?: "viewer" | "operator" | "admin";
            /** @description Names or uids; absent or null reaches all. */
            factories?: string[] | null;
            /** Format: date-time */
            expires_at?: string;
        };
        CreatedApiKey: {
            id: string;
            /** @description The key, shown this once. */
            key: string;
        };
        TestDeliveryRequest: {
            /** @description The JSON to send; a small test body when it is left out. */
            body?: unknown;
            /** @description Or the body as text, which is sent byte for byte. */
            text?: string;
        };
        TestDelivery: {
            /** @description The HTTP status that the webhook has answered with. */
            status: number;
            delivery_id: string | null;
            /** @description The body of that answer. */
            answer: Record<string, unknown>;
        };
        DeliveryExplanation: {
            delivery_id: string;
            /** @enum {string} */
            outcome: "Accepted" | "Duplicate" | "Rejected (auth)" | "Rejected (invalid JSON)" | "Rejected (too large)";
            /** @description What became of the delivery, in a sentence. */
            summary: string;
            /** @description Every automation of the factory; none for a delivery that has no stored body. */
            automations: components["schemas"]["AutomationExplanation"][];
        };
        AutomationExplanation: {
            name: string;
            enabled: boolean;
            /** @enum {string} */
            result: "Would trigger" | "Would not trigger";
            /** @description Its webhook triggers; one whose checks have all passed is enough. */
            triggers: {
                checks: components["schemas"]["FilterCheck"][];
            }[];
        };
        FilterCheck: {
            /** @enum {string} */
            check: "webhook" | "payload";
            passed: boolean;
            reason: string;
            /** @description The field of the payload. */
            field: string | null;
        };
        FilterTestRequest: {
            /** @description Uids of webhooks, as a trigger lists them. */
            webhook_ids?: string[];
            /** @description A payload filter; without it every delivery matches. */
            payload?: Record<string, unknown>;
            /** @description An accepted delivery to hold the filter against. */
            delivery_id?: string;
            /** @description Or a JSON value to hold it against. */
            body?: unknown;
        } & (unknown | unknown);
        FilterTest: {
            /** @enum {string} */
            result: "Would trigger" | "Would not trigger";
            checks: components["schemas"]["FilterCheck"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createRunAlias: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunAgentRequest"];
            };
        };
        responses: {
            /** @description The run waits to start. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAgentResponse"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description The next_cursor of the page before. */
                cursor?: string;
                /** @description Only runs in one of these states. */
                state?: components["schemas"]["RunState"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunsResponse"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    createRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunAgentRequest"];
            };
        };
        responses: {
            /** @description The run waits to start. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAgentResponse"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: {
                /** @description How long to wait for the run to end, for example 30s. */
                wait?: string;
            };
            header?: never;
            path: {
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunItem"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAttachments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentList"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAttachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the run. */
                runId: string;
                /** @description The name of the file. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes, with the file's own media type. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTranscript: {
        parameters: {
            query?: {
                /** @description Stream Server-Sent Events until the run ends. */
                follow?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The output so far, or events: output {text, stream, turn, at}, then end {state}. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                    "text/event-stream": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFactories: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description The next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of factories. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryList"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFactory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The factory. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Factory"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    syncFactory: {
        parameters: {
            query?: {
                /** @description Answer when the source has been looked at. */
                wait?: boolean;
            };
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The factory after the pass, or as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Factory"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description The next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The uid of the webhook. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description The next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The uid of the webhook. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendTestDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The uid of the webhook. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestDeliveryRequest"];
            };
        };
        responses: {
            /** @description What the webhook has answered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestDelivery"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    explainDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The explanation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryExplanation"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    testFilter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FilterTestRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterTest"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPayload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes as they came. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAutomations: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description The next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of automations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationList"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAutomation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The name or the uid of the automation. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The automation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSecrets: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description The next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretList"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    setSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the secret. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretValue"];
            };
        };
        responses: {
            /** @description The secret, without its value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Secret"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the secret. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description The next_cursor of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description The key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
        };
    };
}
