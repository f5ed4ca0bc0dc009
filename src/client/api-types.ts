// Made by `npm run generate` from the API's description (src/api/document.ts). Do not edit.

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
         * Create a run
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
        /** List runs */
        get: operations["listRuns"];
        put?: never;
        /** Create a run */
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
        /** Delete a run that has ended, including its transcript, artifacts and workspace */
        delete: operations["deleteRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/followups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a follow-up message to a run */
        post: operations["followUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a queued or running run */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report that the run needs an answer from a person */
        post: operations["reportBlocked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/handoff/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the file artifacts of a run's finished turns */
        get: operations["listHandoffAttachments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the events of a run, oldest first */
        get: operations["getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a blocked run without answering its question */
        post: operations["dismissRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/conversation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages of a run, oldest first */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/harness-usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the model usage of a run, turn by turn */
        get: operations["getHarnessUsage"];
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
        /** List the attachments of a run */
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
        /** Download an attachment of a run, byte for byte */
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
        /** Get the agent's output, as text or as a stream of events */
        get: operations["getTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/artifacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report an artifact of the run */
        post: operations["reportArtifact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/artifacts/{artifactUid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an artifact of a run, with a download URL if it is a file */
        get: operations["getArtifact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/artifacts/{artifactUid}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a file artifact of a run, byte for byte */
        get: operations["downloadArtifact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/artifacts/{artifactUid}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a file through an expiring link */
        get: operations["downloadByLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/sessions/{sessionUuid}/redirect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the conversation of a session that has ended */
        get: operations["checkSessionRedirect"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/conversations/{conversationId}/redirect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the live session of a conversation */
        get: operations["checkConversationRedirect"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/conversations/{conversationId}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the agent's output in a conversation */
        get: operations["getConversationTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/conversations/{conversationId}/followups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a follow-up message to a conversation */
        post: operations["followUpConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the skills of definitions and repositories (called agents in the public API) */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List environments */
        get: operations["listEnvironments"];
        put?: never;
        /** Create an environment */
        post: operations["createEnvironment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/environments/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an environment */
        get: operations["getEnvironment"];
        /** Replace the configuration of an environment */
        put: operations["updateEnvironment"];
        post?: never;
        /** Delete an environment */
        delete: operations["deleteEnvironment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agents of definitions and those created through the API */
        get: operations["listIdentities"];
        put?: never;
        /** Create an agent that belongs to no factory */
        post: operations["createIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/identities/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an agent */
        get: operations["getIdentity"];
        /** Update an agent created through the API */
        put: operations["updateIdentity"];
        post?: never;
        /** Delete an agent created through the API, and revoke its keys */
        delete: operations["deleteIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List schedules by name */
        get: operations["listSchedules"];
        put?: never;
        /** Create a schedule */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/schedules/{scheduleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a schedule */
        get: operations["getSchedule"];
        /** Replace a schedule */
        put: operations["updateSchedule"];
        post?: never;
        /** Delete a schedule */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/schedules/{scheduleId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a schedule: it starts no runs until it is resumed */
        post: operations["pauseSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/schedules/{scheduleId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a schedule from its next due time */
        post: operations["resumeSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List factories, in the format that clients of the public API expect */
        get: operations["searchFactories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a factory, in the format that clients of the public API expect */
        get: operations["getFactoryDetails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Dispatch a run to a factory's foreman */
        post: operations["dispatchRun"];
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
        /** Create a managed factory, whose definition millrace stores */
        post: operations["createFactory"];
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
        /** Get a factory: its source, applied revision and problems */
        get: operations["getFactory"];
        put?: never;
        post?: never;
        /** Delete a factory and its applied definition; refused if the settings name the factory */
        delete: operations["deleteFactory"];
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
        /** Sync a factory with its source now */
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
        /** Create a webhook; a generated secret is shown only once */
        post: operations["createWebhook"];
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
        /** Get a webhook, including a deleted one */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /** Delete a webhook: its senders get 404, and automations that select it no longer fire for it */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /** Enable or disable a webhook, or change its delivery ID header */
        patch: operations["updateWebhook"];
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
        /** Delete a webhook's deliveries and payloads, except those with runs that have not ended */
        delete: operations["deleteDeliveries"];
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
        /** Get a delivery, with its payload if it was accepted */
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
        /** Send a test delivery, signed in the webhook's own mode and scheme */
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
        /** Explain for each automation why a delivery would or would not start a run under the active definition */
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
        /** Redeliver an accepted delivery, using the active definition */
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
        /** Test whether a filter matches a stored delivery or a body, and explain the result */
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
        /** Delete the payload of a delivery whose runs have ended, including the runs' copies */
        delete: operations["deletePayload"];
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
        /** Create or replace an automation's file */
        put: operations["putAutomation"];
        post?: never;
        /** Delete an automation and its tests */
        delete: operations["deleteAutomation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/suggested-secret-name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Suggest a name for the secret of a new webhook */
        get: operations["suggestSecretName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/webhooks/{uid}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set or rotate a webhook's secret; the old secret stops working immediately */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files of the applied definition */
        get: operations["listFiles"];
        put?: never;
        /** Write and delete several files of the definition in one atomic change */
        post: operations["changeFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a file of the applied definition */
        get: operations["getFile"];
        /** Create or replace a file of the definition */
        put: operations["putFile"];
        post?: never;
        /** Delete a file of the definition */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preview the deletion of a factory, including one whose source is no longer configured */
        get: operations["planFactoryDeletion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the attempts to apply revisions, newest first */
        get: operations["listRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/commits/{commit}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the state of a commit, optionally waiting until it is applied */
        get: operations["getCommitStanding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Suspend a factory: stop applying new revisions */
        post: operations["suspendFactory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a factory, and sync it immediately */
        post: operations["resumeFactory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Roll back to a previously applied revision, and suspend the factory */
        post: operations["rollBackFactory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare the stored state with the applied revision */
        get: operations["getDrift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the definition files of the applied revision, or of another attempted one */
        get: operations["exportFactory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/webhooks/{uid}/adopt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore a webhook's previous UID after the database was lost */
        post: operations["adoptWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Plan a definition: show what applying it would change, without writing anything */
        post: operations["planFactory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pauses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the active pauses */
        get: operations["listPauses"];
        put?: never;
        /** Pause the server, a factory, a webhook or an automation */
        post: operations["createPause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pauses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a pause, and start the runs that were waiting */
        delete: operations["endPause"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory-files/schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the versions of the definition format */
        get: operations["listFactoryFileSchemas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory-files/schemas/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get all schemas of a version */
        get: operations["getFactoryFileSchemas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory-files/schemas/{version}/{document}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one schema, for example for an editor */
        get: operations["getFactoryFileSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory-files/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Validate a definition without server state; requires a key unless MILLRACE_PUBLIC_VALIDATE is on */
        post: operations["validateFactoryFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stream changes to runs, deliveries, webhooks, factories and pauses as Server-Sent Events */
        get: operations["streamEvents"];
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
        /** List the secrets that the key's factories may use, without their values */
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
        /** Set a secret's value (write-only) and the factories that may use it */
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
        /** Create an API key; it is shown only once */
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
        /** Revoke an API key immediately */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API calls that made or attempted changes, newest first */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the caller's identity and permissions */
        get: operations["getWhoami"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count deliveries and runs by hour */
        get: operations["getActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the effective settings, with secrets masked */
        get: operations["listSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/runners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the runners of a factory */
        get: operations["listRunners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the outcomes of recent deliveries by webhook */
        get: operations["listWebhookActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/webhooks/{uid}/traffic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the deliveries of a webhook in the log */
        get: operations["getWebhookTraffic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deliveries of all webhooks, including deleted ones, newest first */
        get: operations["listAllDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
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
         * @description The state of a run.
         * @enum {string}
         */
        RunState: "QUEUED" | "PENDING" | "CLAIMED" | "INPROGRESS" | "SUCCEEDED" | "FAILED" | "BLOCKED" | "ERROR" | "CANCELLED";
        /**
         * @description How a run was started.
         * @enum {string}
         */
        RunSourceType: "API" | "CLI" | "WEB_APP" | "CUSTOM_WEBHOOK" | "SCHEDULED_AGENT" | "LINEAR" | "SLACK" | "LOCAL" | "GITHUB_ACTION" | "CLOUD_MODE" | "JIRA" | "SELF_IMPROVEMENT" | "GITHUB_WEBHOOK" | "GITLAB_WEBHOOK" | "AUTOFIX" | "RUN_SCORER" | "ORCHESTRATION" | "TEAMS" | "AZURE_DEVOPS_WEBHOOK" | "BENCHMARK_TRIAL" | "CREATE_BENCHMARK_TASK";
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
        RunItem: {
            /** Format: uuid */
            run_id: string;
            /**
             * Format: uuid
             * @deprecated
             * @description Same as run_id.
             */
            task_id: string;
            /** Format: uuid */
            root_run_id: string;
            title: string;
            /** @description The prompt given to the agent. */
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
            /** @description The run time, as an ISO 8601 duration. */
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
            executor: components["schemas"]["RunCreatorInfo"];
            agent_config: components["schemas"]["AmbientAgentConfig"];
            metadata: {
                [key: string]: string;
            };
            is_sandbox_running?: boolean;
            is_run_type_cancellable?: boolean;
            scope?: components["schemas"]["Scope"];
            /**
             * Format: uuid
             * @description The id of the run's conversation, for /agent/conversations and for requests that continue the run.
             */
            conversation_id?: string;
            /**
             * Format: uri
             * @description The URL of the ticket, delivery, schedule or automation that started the run.
             */
            trigger_url?: string;
            /** Format: uuid */
            parent_run_id?: string;
            /** @description The prompt as sent in the request. */
            submitted_prompt?: string;
            error_category?: string;
            schedule?: {
                schedule_id: string;
                schedule_name: string;
                cron_schedule: string;
            };
            agent_skill?: {
                name: string;
                description?: string;
                full_path?: string;
                bundled_skill_id?: string;
            };
            /** @description The agent's final answer: what its harness reports, the last lines of a plain command's output, or artifacts/answer.md. */
            answer?: string;
            request_usage?: components["schemas"]["RequestUsage"];
            artifacts?: components["schemas"]["Artifact"][];
            factory_uid?: string;
            automation_id?: string;
            delivery_id?: string;
            webhook_uid?: string;
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
            /** @description Whether the run is waiting for another run to end. */
            at_capacity: boolean;
        };
        ListRunsResponse: {
            runs: components["schemas"]["RunItem"][];
            page_info: components["schemas"]["PageInfo"];
        };
        RunTimeline: {
            events: components["schemas"]["RunEvent"][];
            page_info: components["schemas"]["PageInfo"];
        };
        RunEvent: {
            /** Format: uuid */
            event_uuid: string;
            /** Format: uuid */
            run_id: string;
            event_type: string;
            /** Format: date-time */
            occurred_at: string;
            /** @description The turn in which the event happened, and the ids of its messages in the conversation. agent_started also has the agent's isolation; artifact_contains_secret also has the file; oz_run_cancelled of a dismissed run also has who dismissed it, and the reason. */
            payload?: {
                turn?: number;
                /** @enum {string} */
                sandbox?: "bwrap" | "container" | "none";
                /** @description What is not isolated on this server, one sentence per item. */
                weaknesses?: string[];
                /** Format: uuid */
                artifact_uid?: string;
                filepath?: string;
                /** @description The prompt of oz_run_created, the question of oz_run_blocked, or the answer of an end event. */
                message_id?: string;
                /** @description The messages that the agent of this turn was given; of agent_started. */
                message_ids?: string[];
                /** @description Who dismissed the run. */
                by?: string;
                reason?: string;
            };
        };
        BlockedResponse: {
            /** Format: uuid */
            run_id: string;
            state: components["schemas"]["RunState"];
        };
        AttachmentList: {
            attachments: {
                name: string;
                size: number;
                mime_type: string;
            }[];
        };
        /** @description The model usage of the run so far, in all turns, if the harness reports it. */
        RequestUsage: {
            /** @description The cost; omitted if the harness does not report one. */
            inference_cost_usd?: number;
            total_tokens: number;
            model_token_usage: {
                model_id: string;
                total_tokens: number;
                /** @enum {string} */
                usage_type: "byok";
                tokens_by_category: {
                    input: number;
                    input_cache_read: number;
                    output: number;
                };
            }[];
        };
        HarnessUsage: {
            /** @description Whether the harness has reported any usage. */
            available: boolean;
            /**
             * Format: uuid
             * @description Same as run_id.
             */
            conversation_id: string;
            /** Format: uuid */
            run_id: string;
            /** @description The time since the last report, in seconds. */
            age_seconds?: number;
            usage?: {
                /** @description All input tokens, including those read from a cache. */
                input_tokens: number;
                output_tokens: number;
                /** @description The input tokens that were read from a cache. */
                cached_tokens: number;
                /** @description The cost as reported by the harness; null if it reports none. */
                cost_usd: number | null;
                turns: {
                    turn: number;
                    model_id: string;
                    /** @description All input tokens, including those read from a cache. */
                    input_tokens: number;
                    output_tokens: number;
                    /** @description The input tokens that were read from a cache. */
                    cached_tokens: number;
                    /** @description The cost as reported by the harness; null if it reports none. */
                    cost_usd: number | null;
                    /** Format: date-time */
                    reported_at: string;
                }[];
            };
        };
        Artifact: {
            /** @enum {string} */
            artifact_type: "PLAN" | "PULL_REQUEST" | "SCREENSHOT" | "FILE" | "EXTERNAL_REFERENCE";
            /** Format: date-time */
            created_at: string;
            data: components["schemas"]["ArtifactData"];
        };
        ArtifactData: {
            /** Format: uuid */
            artifact_uid: string;
            /**
             * Format: uuid
             * @description The UID of a plan, which is the same as artifact_uid.
             */
            document_uid?: string;
            /**
             * Format: uuid
             * @description The UID of a plan, which is the same as artifact_uid.
             */
            notebook_uid?: string;
            title?: string;
            url?: string;
            /** @description The branch of a pull request. It is empty if the agent did not report the branch. */
            branch?: string;
            /**
             * @description The status of a pull request. It is always unknown, because the forge is not queried.
             * @enum {string}
             */
            status?: "unknown";
            /** @description The type of an external reference. */
            reference_type?: string;
            /** @description The text of a plan. */
            content?: string;
            /** @description The path of a file, relative to the folder artifacts/. */
            filepath?: string;
            filename?: string;
            mime_type?: string;
            size_bytes?: number;
            sha256?: string;
            /** @description Whether a text file contains the value of a secret that was granted to the run. */
            contains_secret?: boolean;
        };
        ArtifactDetails: {
            /** @enum {string} */
            artifact_type: "PLAN" | "PULL_REQUEST" | "SCREENSHOT" | "FILE" | "EXTERNAL_REFERENCE";
            /** Format: uuid */
            artifact_uid: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: uuid
             * @description The run that produced the artifact.
             */
            run_id: string;
            data: components["schemas"]["ArtifactDetailsData"];
        };
        ArtifactDetailsData: {
            /** Format: uuid */
            artifact_uid: string;
            /**
             * Format: uuid
             * @description The UID of a plan, which is the same as artifact_uid.
             */
            document_uid?: string;
            /**
             * Format: uuid
             * @description The UID of a plan, which is the same as artifact_uid.
             */
            notebook_uid?: string;
            title?: string;
            url?: string;
            /** @description The branch of a pull request. It is empty if the agent did not report the branch. */
            branch?: string;
            /**
             * @description The status of a pull request. It is always unknown, because the forge is not queried.
             * @enum {string}
             */
            status?: "unknown";
            /** @description The type of an external reference. */
            reference_type?: string;
            /** @description The text of a plan. */
            content?: string;
            /** @description The path of a file, relative to the folder artifacts/. */
            filepath?: string;
            filename?: string;
            mime_type?: string;
            size_bytes?: number;
            sha256?: string;
            /** @description Whether a text file contains the value of a secret that was granted to the run. */
            contains_secret?: boolean;
            /** @description The media type of the content or the file. */
            content_type?: string;
            /**
             * Format: uri
             * @description The URL for downloading a file without a key, valid until expires_at.
             */
            download_url?: string;
            /**
             * Format: date-time
             * @description When the download_url stops working.
             */
            expires_at?: string;
        };
        HandoffAttachmentList: {
            attachments: {
                /**
                 * Format: uuid
                 * @description The UID of the artifact.
                 */
                attachment_id: string;
                /** Format: uri */
                download_url: string;
                /** @description The path relative to the folder artifacts/. */
                filename: string;
                mime_type: string;
            }[];
        };
        AgentListResponse: {
            agents: components["schemas"]["AgentSkill"][];
        };
        AgentSkill: {
            name: string;
            variants: components["schemas"]["AgentSkillVariant"][];
        };
        AgentSkillVariant: {
            /** @description The value to send as the skill of a run request. */
            id: string;
            /** @description The text of the skill. */
            base_prompt: string;
            description: string;
            /** @description The environments that contain the repository. */
            environments: {
                uid: string;
                name: string;
            }[];
            /** @description The repository; for a skill from a definition, owner is empty and name is the factory. */
            source: {
                owner: string;
                name: string;
                skill_path: string;
            };
            /** Format: date-time */
            last_run_timestamp: string | null;
            /** @description Why the skill cannot be read. */
            error?: string;
        };
        RunFollowupResponse: {
            /** @description The id of the follow-up; null for a message that was added to the prompt of a queued run. */
            followup_id: string | null;
            /** @enum {string} */
            outcome: "live_session" | "queued_prompt" | "handoff_execution" | "queue_pending";
        };
        Conversation: {
            /**
             * Format: uuid
             * @description Same as the id of the run.
             */
            conversation_id: string;
            /** @description The turns of this page's messages. */
            steps: components["schemas"]["ConversationStep"][];
            messages: components["schemas"]["RunMessage"][];
            page_info: components["schemas"]["PageInfo"];
        };
        ConversationStep: {
            id: string;
            description?: string;
            messages: components["schemas"]["ConversationMessage"][];
            /** @description Always empty. */
            steps: components["schemas"]["ConversationStep"][];
        };
        ConversationMessage: {
            /** @enum {string} */
            role: "user" | "assistant";
            content: {
                /** @enum {string} */
                type: "text";
                text: string;
            }[];
            /** Format: date-time */
            timestamp?: string;
            message_ids?: string[];
        };
        RunMessage: {
            /**
             * Format: uuid
             * @description The id of the message; for the prompt, the id of the run.
             */
            id: string;
            /** @description The turn that the message belongs to; if it waits for the next turn, the number of that turn. */
            turn: number;
            /** Format: date-time */
            time: string;
            /** @enum {string} */
            role: "user" | "agent";
            /**
             * @description An answer with the role user answers a question of the agent. An answer with the role agent is the agent's final answer in its turn. A report is a link or a plan.
             * @enum {string}
             */
            kind: "prompt" | "message" | "question" | "answer" | "report";
            author: {
                /** @enum {string} */
                type: "key" | "agent" | "automation" | "schedule";
                /** @description The owner of the key, or the name of the agent, automation or schedule. */
                name: string;
            };
            /** @description The text; in messages of the agent, secrets are masked. */
            text: string;
            /**
             * @description Whether the agent was given the message, the message waits for the agent or its next turn, or the run was cancelled first. Messages of the agent are given.
             * @enum {string}
             */
            state: "given" | "waiting" | "withdrawn";
        };
        DismissRequest: {
            /** @description Why the run is ended, at most 1,000 characters. Readers of the run can see it. */
            reason?: string;
        };
        ConversationFollowupResponse: {
            /** @description The id of the follow-up; null for a message that was added to the prompt of a queued run. */
            followup_id: string | null;
            /** @enum {string} */
            outcome: "live_session" | "queued_prompt" | "handoff_execution" | "queue_pending";
            /**
             * Format: uuid
             * @description The run that received the message.
             */
            run_id: string;
        };
        SessionRedirect: {
            /**
             * Format: uuid
             * @description The conversation in which to read the session; omitted while its agent is working.
             */
            conversation_id?: string;
        };
        ConversationRedirect: {
            /**
             * Format: uuid
             * @description The live session of the conversation; omitted if there is none.
             */
            session_id?: string;
        };
        /** @description Exactly one of warp_id, command and url must be set. */
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
        } & (unknown | unknown | unknown);
        /** @description The configuration of an agent's run. All keys are optional. */
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
            /** @description Where the run executes. warp, local and millrace all mean this server; other values are not supported. */
            worker_host?: string;
            harness?: {
                type?: string;
                model_id?: string;
                reasoning_level?: string;
                /** @description The secret that holds the harness's API key; the agent must be granted it. */
                auth_secret_name?: string;
            };
            /** @description The secrets that hold API keys of harnesses; only the one for the run's harness is used. */
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
        Scope: {
            /** @enum {string} */
            type: "User" | "Team";
            uid?: string;
        };
        SecretReference: {
            /** @description The name of a secret. */
            name: string;
        };
        GitHubRepo: {
            owner: string;
            repo: string;
        };
        CloudEnvironmentConfig: {
            /** @description At most 200 characters, no control characters, and not only spaces. */
            name: string;
            /** @description Text without NUL characters. */
            description?: string | null;
            /** @description An image reference, for example registry.example.com/team/image:1. */
            docker_image?: string;
            github_repos?: components["schemas"]["GitHubRepo"][];
            /** @description Shell commands that set up the environment, run in this order. */
            setup_commands?: string[];
            secrets?: components["schemas"]["SecretReference"][];
        };
        CloudEnvironment: {
            uid: string;
            config: components["schemas"]["CloudEnvironmentConfig"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_updated: string;
            setup_failed: boolean;
            creator: components["schemas"]["RunCreatorInfo"];
            last_editor: components["schemas"]["RunCreatorInfo"];
            scope: components["schemas"]["Scope"];
            /** @description Secrets that the environment lists but that do not exist; runs start without them. Omitted if there are none. */
            missing_secrets?: string[];
        };
        ListEnvironmentsResponse: {
            environments: components["schemas"]["CloudEnvironment"][];
            page_info: components["schemas"]["PageInfo"];
        };
        AgentResponse: {
            uid: string;
            name: string;
            description: string | null;
            available: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            secrets: components["schemas"]["SecretReference"][];
            skills: string[];
            prompt?: string;
            base_model?: string;
            /** @deprecated */
            base_harness?: string;
            harness?: {
                type?: string;
                model_id?: string;
                reasoning_level?: string;
                /** @description The secret that holds the harness's API key; the agent must be granted it. */
                auth_secret_name?: string;
            };
            /** @description The secrets that hold API keys of harnesses; only the one for the run's harness is used. */
            harness_auth_secrets?: {
                claude_auth_secret_name?: string;
                codex_auth_secret_name?: string;
            };
            environment_id?: string;
            mcp_servers?: {
                [key: string]: components["schemas"]["MCPServerConfig"];
            };
            worker_host?: string;
            /** @description The factory whose definition contains the agent. */
            factory_uid?: string;
            /** @description The agentType from the definition, or CUSTOM. */
            agent_type: string;
            /** @enum {string} */
            credential_strategy: "EXECUTOR";
            /** @description The runner for the agent's runs; empty if none is set. */
            default_runner_uid: string;
            memory: components["schemas"]["AgentMemory"];
        };
        /** @description Memory stores are not supported. The list is always empty. */
        AgentMemory: {
            attached_stores: string[];
            auto_memory: {
                /** @enum {boolean} */
                enabled: false;
            };
        };
        ListAgentIdentitiesResponse: {
            agents: components["schemas"]["AgentResponse"][];
            page_info: components["schemas"]["PageInfo"];
        };
        CreateAgentRequest: {
            /** @description At most 200 characters, no control characters, and not only spaces. */
            name: string;
            /** @description Text without NUL characters. */
            description?: string | null;
            secrets?: components["schemas"]["SecretReference"][];
            skills?: string[];
            /** @description Instructions placed at the start of each run's prompt. */
            prompt?: string | null;
            /** @description The model for runs that do not specify one. */
            base_model?: string | null;
            /**
             * @deprecated
             * @description Same as harness.type.
             */
            base_harness?: string | null;
            /** @description The harness that runs the agent. */
            harness?: {
                type?: string;
                model_id?: string;
                reasoning_level?: string;
                /** @description The secret that holds the harness's API key; the agent must be granted it. */
                auth_secret_name?: string;
            } | null;
            /** @description The secrets that hold API keys of harnesses; only the one for the run's harness is used. */
            harness_auth_secrets?: {
                claude_auth_secret_name?: string;
                codex_auth_secret_name?: string;
            } | null;
            /** @description The environment for runs that do not specify one. */
            environment_id?: string | null;
            mcp_servers?: {
                [key: string]: components["schemas"]["MCPServerConfig"];
            } | null;
            /** @description warp, local or millrace: the runs execute on this server. */
            worker_host?: string | null;
            agent_type?: string | null;
            /** @enum {string|null} */
            credential_strategy?: "CREATOR" | "EXECUTOR" | null;
            default_runner_uid?: string | null;
            factory_uid?: string | null;
            inference_providers?: Record<string, unknown> | null;
            memory?: {
                attached_stores?: unknown[] | null;
                auto_memory?: {
                    enabled?: boolean | null;
                } | null;
            } | null;
            on_behalf_of_enabled?: boolean | null;
        };
        /** @description Fields that are omitted or null stay unchanged; an empty value clears a field. */
        UpdateAgentRequest: {
            /** @description At most 200 characters, no control characters, and not only spaces. */
            name?: string | null;
            /** @description Text without NUL characters. */
            description?: string | null;
            secrets?: components["schemas"]["SecretReference"][] | null;
            skills?: string[] | null;
            /** @description Instructions placed at the start of each run's prompt. */
            prompt?: string | null;
            /** @description The model for runs that do not specify one. */
            base_model?: string | null;
            /**
             * @deprecated
             * @description Same as harness.type.
             */
            base_harness?: string | null;
            /** @description The harness that runs the agent. */
            harness?: {
                type?: string;
                model_id?: string;
                reasoning_level?: string;
                /** @description The secret that holds the harness's API key; the agent must be granted it. */
                auth_secret_name?: string;
            } | null;
            /** @description The secrets that hold API keys of harnesses; only the one for the run's harness is used. */
            harness_auth_secrets?: {
                claude_auth_secret_name?: string;
                codex_auth_secret_name?: string;
            } | null;
            /** @description The environment for runs that do not specify one. */
            environment_id?: string | null;
            mcp_servers?: {
                [key: string]: components["schemas"]["MCPServerConfig"];
            } | null;
            /** @description warp, local or millrace: the runs execute on this server. */
            worker_host?: string | null;
            agent_type?: string | null;
            /** @enum {string|null} */
            credential_strategy?: "CREATOR" | "EXECUTOR" | null;
            default_runner_uid?: string | null;
            factory_uid?: string | null;
            inference_providers?: Record<string, unknown> | null;
            memory?: {
                attached_stores?: unknown[] | null;
                auto_memory?: {
                    enabled?: boolean | null;
                } | null;
            } | null;
            on_behalf_of_enabled?: boolean | null;
        };
        ScheduledAgentItem: {
            /** Format: uuid */
            id: string;
            name: string;
            cron_schedule: string;
            prompt: string;
            enabled: boolean;
            /** @description Added to the metadata of each of its runs. */
            metadata: {
                [key: string]: string;
            };
            agent_config?: components["schemas"]["AmbientAgentConfig"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            created_by: components["schemas"]["RunCreatorInfo"];
            updated_by: components["schemas"]["RunCreatorInfo"];
            history: {
                /** Format: date-time */
                last_ran: string | null;
                /** Format: date-time */
                next_run: string | null;
            };
            last_spawn_error: string | null;
            scope: components["schemas"]["Scope"];
            factory_uid?: string;
            agent_uid?: string;
        };
        ListScheduledAgentsResponse: {
            schedules: components["schemas"]["ScheduledAgentItem"][];
            page_info: components["schemas"]["PageInfo"];
        };
        CreateScheduledAgentRequest: {
            /** @description At most 200 characters, no control characters, and not only spaces. */
            name: string;
            /** @description A cron expression of five fields in UTC, a macro such as @daily, or @every 30m; without control characters. */
            cron_schedule: string;
            /** @description Required unless agent_config.skill_spec is given. */
            prompt?: string;
            agent_config?: components["schemas"]["AmbientAgentConfig"];
            /** @description Defaults to true. */
            enabled?: boolean;
            /** @description Accepted, but has no effect, because every schedule belongs to the team. */
            team?: boolean;
            /** @description The UID of the agent to run, as listed by /agent/identities. */
            agent_uid?: string;
            /** @description Key-value pairs, at most 20: keys of 1 to 64 letters, digits, dots, underscores and hyphens; values of at most 256 bytes. */
            metadata?: {
                [key: string]: string;
            };
            /** @enum {string} */
            mode?: "normal" | "plan" | "orchestrate";
        };
        UpdateScheduledAgentRequest: {
            /** @description At most 200 characters, no control characters, and not only spaces. */
            name: string;
            /** @description A cron expression of five fields in UTC, a macro such as @daily, or @every 30m; without control characters. */
            cron_schedule: string;
            /** @description Required unless agent_config.skill_spec is given. */
            prompt?: string;
            agent_config?: components["schemas"]["AmbientAgentConfig"];
            enabled: boolean;
            /** @description The UID of the agent to run from now on; unchanged if omitted. */
            agent_uid?: string;
            /** @description Added to the metadata of each run; unchanged if omitted. */
            metadata?: {
                [key: string]: string;
            };
            /** @enum {string} */
            mode?: "normal" | "plan" | "orchestrate";
        };
        DeleteScheduledAgentResponse: {
            success: boolean;
        };
        RunAgentRequest: {
            /** @description The prompt for the agent; required unless a skill is given. */
            prompt?: string;
            /** @enum {string} */
            mode?: "normal" | "plan" | "orchestrate";
            /** @description A skill such as owner/repo:name. */
            skill?: string;
            config?: components["schemas"]["AmbientAgentConfig"];
            /** @description Non-empty text. */
            title?: string;
            team?: boolean;
            agent_identity_uid?: string;
            /** @description The factory that the run belongs to, by name or UID; its foreman executes the run if no agent is specified. */
            factory?: string;
            on_behalf_of?: string;
            conversation_id?: string;
            attachments?: components["schemas"]["AttachmentInput"][];
            /** @deprecated */
            images?: components["schemas"]["ImageInput"][];
            parent_run_id?: string;
            interactive?: boolean;
            /** @description Key-value pairs, at most 20: keys of 1 to 64 letters, digits, dots, underscores and hyphens; values of at most 256 bytes. */
            metadata?: {
                [key: string]: string;
            };
        };
        AttachmentInput: {
            /** @description A file name without a path, at most 255 bytes; unique among the attachments and different from the run's own files. */
            file_name: string;
            /** @description A media type such as image/png. */
            mime_type: string;
            /**
             * Format: base64
             * @description The content, as base64.
             */
            data: string;
        };
        ImageInput: {
            /** @enum {string} */
            mime_type: "image/jpeg" | "image/png" | "image/gif" | "image/webp";
            /**
             * Format: base64
             * @description The content, as base64.
             */
            data: string;
        };
        ArtifactReport: {
            /** @enum {string} */
            artifact_type: "PLAN" | "PULL_REQUEST" | "EXTERNAL_REFERENCE";
            /** @description An artifact of a run. Pull requests and external references require url, and plans require title. */
            data: {
                title?: string;
                /** @description An https or http URL. */
                url?: string;
                branch?: string;
                /** @description The type of an external reference, for example linear_issue. */
                reference_type?: string;
                /** @description The text of a plan, at most 256 KiB. */
                content?: string;
            };
        };
        BlockedReport: {
            /** @description The agent's question, at most 16 KiB. */
            message: string;
        };
        RunFollowupRequest: {
            /** @description Non-empty text. */
            message: string;
            /** @enum {string} */
            mode?: "normal" | "plan" | "orchestrate";
            attachments?: {
                attachment_id: string;
                file_name?: string;
            }[];
        };
        FactoryRunRequest: {
            /** @description Non-empty text. */
            prompt: string;
            /** @description Non-empty text. */
            title?: string;
            /** @description The origin of the request, as source:id. */
            ticket_ref?: string;
            /** Format: uri */
            ticket_url?: string;
        };
        FactoryDetails: {
            uid: string;
            name: string;
            alias: string | null;
            description: string | null;
            avatar_url: null;
            /** @enum {string} */
            code_forge: "GITHUB" | "GITLAB" | "AZURE_DEVOPS" | "NONE";
            code_forges: ("GITHUB" | "GITLAB" | "AZURE_DEVOPS" | "NONE")[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @enum {string} */
            credential_strategy: "EXECUTOR";
            default_environment: string | null;
            default_model: string | null;
            integrations: {
                type: string;
            }[] | null;
            repositories: {
                owner: string;
                repo: string;
            }[];
            agent_defaults: {
                default_runner_uid: string;
                mcp_servers: Record<string, unknown>;
                secrets: {
                    name: string;
                }[];
                worker_host: string;
            };
            scorer_defaults: Record<string, unknown>;
            scoring: {
                default_model: null;
            };
            team_uid: string;
        };
        FactoryDetailsList: {
            factories: components["schemas"]["FactoryDetails"][];
            page_info: components["schemas"]["PageInfo"];
        };
        FactoryRunResponse: {
            /** Format: uuid */
            run_id: string;
            factory_uid: string;
            foreman_agent: string;
            state: components["schemas"]["RunState"];
            ticket_ref: string;
            /** Format: uri */
            run_url: string;
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
            /** @description The effects of creating the factory on the rest of the server, as sentences. Only in the response to its creation. */
            warning?: string;
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
        RestingFactory: {
            uid: string;
            name: string;
            /** @enum {string} */
            mode: "repository" | "managed" | "folder";
            source: {
                url?: string;
                branch?: string;
                path: string;
            };
            /** @description The number of its webhooks; their URLs return 404. */
            webhooks: number;
            /** @description The number of its queued runs. */
            waiting_runs: number;
        };
        FactoryList: {
            factories: components["schemas"]["Factory"][];
            page_info: components["schemas"]["PageInfo"];
            /** @description Recorded factories without a configured source; included on every page, omitted if there are none. */
            resting?: components["schemas"]["RestingFactory"][];
        };
        /** @description The deliveries of one hour that a webhook refused without a record. */
        DroppedDeliveries: {
            /**
             * Format: date-time
             * @description The start of the hour.
             */
            hour: string;
            /** @description The deliveries beyond a budget of the webhook. */
            over_budget: number;
            /** @description The deliveries from addresses that had failed to authenticate too often. */
            blocked: number;
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
            /** @description Whether the secret has changed since the webhook was applied. If true, the webhook still uses the previous value. */
            has_newer_secret: boolean;
            delivery_id_header: string | null;
            enabled: boolean;
            /** @enum {string} */
            status: "active" | "disabled" | "awaiting_secret" | "deleted";
            /** @description The ingress URL; for a url_token webhook it ends in {token}. */
            url: string;
            defined_in: components["schemas"]["DefinedIn"];
            /** @description The deliveries of the last 24 hours that were refused with 429 and without a record: one entry for each hour with such deliveries, oldest first. */
            dropped: components["schemas"]["DroppedDeliveries"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookList: {
            webhooks: components["schemas"]["Webhook"][];
            page_info: components["schemas"]["PageInfo"];
        };
        Automation: {
            uid: string;
            name: string;
            enabled: boolean;
            agent: string;
            triggers: components["schemas"]["AutomationTrigger"][];
            prompt: string;
            /** @description How many runs of the automation can execute at the same time; null for no limit. */
            concurrency: number | null;
            /**
             * @description Whether a schedule whose time passed while the server was down is skipped or fires once.
             * @enum {string}
             */
            missed: "skip" | "once";
            /**
             * Format: date-time
             * @description When a schedule of the automation fires next; null if it has none, or while the automation is disabled or paused, or its factory is suspended.
             */
            next_fire_at: string | null;
            /** @description The text of the automation's file; only in a managed definition. */
            content?: string;
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
            /** @description The payload filter, as written. */
            payload?: Record<string, unknown>;
            schedule?: {
                cron?: string;
                name?: string;
            };
            /** @description The filter of another provider, as written. */
            filter?: Record<string, unknown>;
        };
        /** @description A webhook that a trigger selects; uid or name is null if no such webhook exists. */
        SelectedWebhook: {
            uid: string | null;
            name: string | null;
        };
        AutomationList: {
            automations: components["schemas"]["Automation"][];
            page_info: components["schemas"]["PageInfo"];
        };
        NewFactory: {
            name: string;
        };
        NewWebhook: {
            name: string;
            /**
             * @description Defaults to token.
             * @enum {string}
             */
            auth_mode?: "token" | "url_token" | "signature";
            /** @description The provider whose signing scheme is verified, for the authentication mode signature. */
            signature_scheme?: string | null;
            /** @description The definition of the signature scheme, if the scheme is custom. It has the format of millrace.scheme in a webhook file. */
            custom_scheme?: components["schemas"]["WebhookScheme"];
            /** @description The provider's signing secret, for the authentication mode signature. If omitted, millrace generates one if the scheme lets the receiver choose the secret; otherwise the webhook waits for it. */
            secret?: string;
            /** @description The secret that holds the credential. An existing secret is used and not shown; if omitted, a name is generated. */
            secret_name?: string;
            delivery_id_header?: string | null;
            /** @description Defaults to true. */
            enabled?: boolean;
        };
        /** @description How deliveries are signed, for signatureScheme custom: an HMAC with the webhook's secret. */
        WebhookScheme: {
            /** @description The request header with the signature. */
            header: components["schemas"]["HeaderName"];
            /** @description The separator between the entries of that header, if it has several. */
            separator?: string;
            /** @description The prefix of a signature, for example sha256= or v1=. Entries without it are ignored. */
            prefix?: string;
            /**
             * @description The hash function of the HMAC. Default sha256.
             * @enum {unknown}
             */
            digest?: "sha1" | "sha256" | "sha512";
            /**
             * @description The encoding of the signature. Default hex.
             * @enum {unknown}
             */
            encoding?: "hex" | "base64";
            /**
             * @description The encoding of the key in the secret. Default text: the secret unchanged.
             * @enum {unknown}
             */
            key?: "text" | "base64" | "hex";
            /** @description The signed parts, in order; the body must be included exactly once. Default: only the body. */
            signed?: (("body" | "timestamp") | {
                text: string;
            } | {
                header: components["schemas"]["HeaderName"];
            })[];
            /** @description The location of the signed timestamp, and its tolerance. */
            timestamp?: {
                header?: components["schemas"]["HeaderName"];
                /** @description The prefix of the entry in the signature header, for example t=. */
                entry?: string;
                body?: components["schemas"]["BodyPath"];
                /**
                 * @description The unit: seconds or milliseconds since 1970. Default s.
                 * @enum {unknown}
                 */
                unit?: "s" | "ms";
                /** @description The tolerance in seconds, before and after the current time. Default 300. */
                tolerance?: number;
            } & (unknown | unknown | unknown);
            /** @description The location of the sender's own delivery ID. */
            deliveryId?: {
                header?: components["schemas"]["HeaderName"];
                body?: components["schemas"]["BodyPath"];
            };
        };
        /** @description The name of a request header. */
        HeaderName: string;
        /** @description The path of keys from the top level of the body to the field. */
        BodyPath: string[];
        SuggestedSecretName: {
            secret_name: string;
        };
        WebhookChange: {
            enabled?: boolean;
            delivery_id_header?: string | null;
            /** @description The current name; webhooks cannot be renamed, and any other name is refused. */
            name?: string;
        };
        SecretRotation: {
            /** @description The provider's new signing secret, for the authentication mode signature. */
            secret?: string;
        };
        /** @description The created webhook. The URL of a url_token webhook contains its token in this response only. */
        CreatedWebhook: {
            uid: string;
            name: string;
            factory: string;
            /** @enum {string} */
            auth_mode: "token" | "url_token" | "signature";
            signature_scheme: string | null;
            secret_name: string;
            /** @description Whether the secret has changed since the webhook was applied. If true, the webhook still uses the previous value. */
            has_newer_secret: boolean;
            delivery_id_header: string | null;
            enabled: boolean;
            /** @enum {string} */
            status: "active" | "disabled" | "awaiting_secret" | "deleted";
            /** @description The ingress URL; for a url_token webhook it ends in {token}. */
            url: string;
            defined_in: components["schemas"]["DefinedIn"];
            /** @description The deliveries of the last 24 hours that were refused with 429 and without a record: one entry for each hour with such deliveries, oldest first. */
            dropped: components["schemas"]["DroppedDeliveries"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The secret, shown only once, if millrace generated it. */
            secret?: string;
        };
        /** @description The webhook. The URL of a url_token webhook contains its new token in this response only. */
        RotatedWebhook: {
            uid: string;
            name: string;
            factory: string;
            /** @enum {string} */
            auth_mode: "token" | "url_token" | "signature";
            signature_scheme: string | null;
            secret_name: string;
            /** @description Whether the secret has changed since the webhook was applied. If true, the webhook still uses the previous value. */
            has_newer_secret: boolean;
            delivery_id_header: string | null;
            enabled: boolean;
            /** @enum {string} */
            status: "active" | "disabled" | "awaiting_secret" | "deleted";
            /** @description The ingress URL; for a url_token webhook it ends in {token}. */
            url: string;
            defined_in: components["schemas"]["DefinedIn"];
            /** @description The deliveries of the last 24 hours that were refused with 429 and without a record: one entry for each hour with such deliveries, oldest first. */
            dropped: components["schemas"]["DroppedDeliveries"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The secret, shown only once, if millrace generated it. */
            secret?: string;
            /** @description Other webhooks that share the secret and now also use its new value: those of this factory by name, those of other factories as FACTORY/WEBHOOK. */
            also_rotated: string[];
            /** @description Webhooks of other factories that share the secret and still accept the old value. */
            not_rotated: {
                factory: string;
                webhook: string;
                /** @description Why the webhook still accepts the old value, and how to apply the new one. */
                reason: string;
            }[];
        };
        AutomationContent: {
            /** @description The complete text of the automation's file. */
            content: string;
        };
        /** @description A file of the applied definition. */
        FactoryFile: {
            path: string;
            size: number;
            executable: boolean;
            etag: string;
        };
        FactoryFileList: {
            files: components["schemas"]["FactoryFile"][];
            page_info: components["schemas"]["PageInfo"];
        };
        FactoryFileContent: {
            path: string;
            size: number;
            executable: boolean;
            etag: string;
            /** @enum {string} */
            encoding: "utf-8" | "base64";
            content: string;
        };
        FileChanges: {
            /** @description The commit message. */
            message?: string;
            files: components["schemas"]["FileChange"][];
            /** @description Whether to allow deletions of webhooks that the prune guard would block. Defaults to false. */
            allow_deletes?: boolean;
        };
        FileChange: {
            path: string;
            /** @description The new content; null deletes the file. */
            content: string | null;
            /**
             * @description Defaults to utf-8.
             * @enum {string}
             */
            encoding?: "utf-8" | "base64";
            /** @description Whether the file is executable; unchanged if omitted. */
            executable?: boolean;
            /** @description The ETag of an existing file, or *. */
            etag?: string;
        };
        ChangedFiles: {
            /** @description The applied commit that contains the change. */
            revision: string;
            /** @description The files that were written. */
            files: components["schemas"]["FactoryFile"][];
        };
        FileContent: {
            content: string;
            /**
             * @description Defaults to utf-8.
             * @enum {string}
             */
            encoding?: "utf-8" | "base64";
            /** @description Whether the file is executable; unchanged if omitted. */
            executable?: boolean;
        };
        FactoryDeletion: {
            factory: {
                uid: string;
                name: string;
                /** @enum {string} */
                mode: "repository" | "managed" | "folder";
                source: {
                    url?: string;
                    branch?: string;
                    path: string;
                };
            };
            /** @description Why the factory cannot be deleted now, and what to do; null if it can. */
            refusal: string | null;
            /** @description The webhooks that would be deleted; their URLs would return 404. */
            webhooks: {
                uid: string;
                name: string;
                url: string;
            }[];
            automations: {
                uid: string;
                name: string;
            }[];
            /** @description Queued runs that would be cancelled. */
            waiting_runs: number;
            /** @description Runs claimed by a worker that would be cancelled. */
            working_runs: number;
            /** @description Schedules created through the API that would be deleted. */
            schedules: number;
        };
        RevisionChange: {
            /** @enum {string} */
            action: "create" | "update" | "delete";
            kind: string;
            /** @description The name of the resource; empty for the factory itself. */
            name: string;
            /** @description The top-level fields that an update changes. */
            fields: string[];
        };
        AskedBy: {
            /**
             * @description The cause of the attempt. The value change means that the folder changed; null means that the attempt was recorded before causes were stored.
             * @enum {string|null}
             */
            reason: "poll" | "change" | "hook" | "secret" | "start" | "resume" | "sync" | "rollback" | "edit" | null;
            principal: {
                uid: string;
                /** @enum {string} */
                type: "user" | "service_account";
                display_name: string;
            } | null;
        };
        /** @description One attempt to apply a revision. */
        Revision: {
            id: string;
            /** @description The full hash of the commit, or of a folder's content. */
            revision: string;
            author: string | null;
            message: string | null;
            /** @enum {string} */
            outcome: "applied" | "failed";
            /** @description What the revision changed or, if it failed, would have changed. */
            changes: components["schemas"]["RevisionChange"][];
            problems: components["schemas"]["Problem"][];
            asked_by: components["schemas"]["AskedBy"];
            /** @description Whether this revision is the applied one now. */
            is_in_force: boolean;
            /** Format: date-time */
            at: string;
        };
        RevisionList: {
            revisions: components["schemas"]["Revision"][];
            page_info: components["schemas"]["PageInfo"];
        };
        RollbackRequest: {
            /** @description The hash of a previously applied revision, or at least its first 7 characters. */
            revision: string;
        };
        CommitStanding: {
            commit: string;
            /**
             * @description in_force: the commit, or a later commit that includes it, is applied. failed: the commit was refused and is not retried automatically. replaced: the commit was applied, but the applied revision no longer includes it. suspended: nothing is applied until the factory is resumed. pending: not synced yet.
             * @enum {string}
             */
            state: "in_force" | "failed" | "replaced" | "suspended" | "pending";
            attempted_revision: string | null;
            applied_revision: string | null;
            problems: components["schemas"]["Problem"][];
        };
        Drift: {
            revision: string;
            in_sync: boolean;
            /** @description The changes that would make the stored state match the revision. */
            changes: components["schemas"]["RevisionChange"][];
            /** @description Names of webhooks whose credential is missing from the store. */
            without_credential: string[];
        };
        FactoryExport: {
            revision: string;
            files: components["schemas"]["ExportedFile"][];
        };
        ExportedFile: {
            path: string;
            /** @enum {string} */
            encoding: "utf-8" | "base64";
            content: string;
        };
        WebhookAdoption: {
            /** @description The previous UID: the 22 letters and digits at the end of the URL that its senders use. */
            uid: string;
        };
        /** @description The definition to plan. Defaults to the current production branch or folder. */
        PlanRequest: {
            /** @description The files of a definition, in place of the factory's own source. */
            files?: components["schemas"]["DefinitionFile"][];
            /** @description Changes to files of the applied definition, for example unsaved changes in an editor. */
            changes?: components["schemas"]["PlannedFile"][];
            /** @description A branch, a tag, a commit or a full refs/… of the factory's own repository. */
            ref?: string;
            /** @description The number of a pull request of the factory's own repository; the plan covers its merge into the current production branch. */
            pull_request?: number;
            /** @description Whether to replay stored deliveries against the filters. Defaults to true. */
            traffic?: boolean;
        };
        PlannedFile: {
            /** @description The path relative to the root of the definition, with / as separator. */
            path: string;
            /** @description The new text of the file; null deletes it. */
            content: string | null;
        };
        DefinitionFile: {
            /** @description The path relative to the root of the definition, with / as separator. */
            path: string;
            content: string;
            /**
             * @description Set if the content is base64; if omitted, it is text.
             * @constant
             */
            encoding?: "base64";
            /** @description Whether the file is executable. */
            executable?: boolean;
        };
        Plan: {
            factory: string;
            /** @description The planned commit; null for files sent in the request. */
            revision: string | null;
            /** @description Whether the definition could be applied: no problem is an error, and no warning is blocking. */
            applicable: boolean;
            summary: {
                create: number;
                update: number;
                delete: number;
                unchanged: number;
            };
            changes: components["schemas"]["PlannedChange"][];
            warnings: components["schemas"]["PlanWarning"][];
            problems: components["schemas"]["Problem"][];
            /** @description The runs that stored deliveries would have started, under the applied definition and under the plan; null if not requested, if no definition is applied yet, if the planned definition is not valid, or if the replay timed out. */
            traffic: {
                /** Format: date-time */
                since: string;
                /** @description The number of deliveries that were replayed. */
                deliveries: number;
                /** @description Whether all deliveries since that time were replayed; if false, older ones were left out. */
                complete: boolean;
                automations: components["schemas"]["AutomationTraffic"][];
            } | null;
        };
        PlannedChange: {
            /** @enum {string} */
            action: "create" | "update" | "delete" | "unchanged";
            /** @enum {string} */
            kind: "factory" | "agent" | "automation" | "webhook" | "runner" | "skill" | "scorer" | "benchmark";
            name: string;
            path: string;
            /** @description The current UID, or the UID before deletion; null for a new resource. */
            uid: string | null;
            /** @description The fields that an update changes. */
            fields: string[];
            /** @description The values of those fields before and after an update, at most 20. */
            values: components["schemas"]["FieldChange"][];
        };
        FieldChange: {
            /** @description The path of the field, for example triggers[0].payload.branch. */
            field: string;
            /** @description The old value as JSON, truncated; for multi-line text, the first line that differs. Null if the field was not set. The arguments, environment and headers of MCP servers are not shown. */
            before: string | null;
            /** @description The new value, in the same form as before. */
            after: string | null;
            /** @description The position of the change in a multi-line text: the number of the first line that differs, which is the line shown (first), the number of lines replaced (before) and the number of lines that replace them (after). */
            lines: {
                first: number;
                before: number;
                after: number;
            } | null;
        };
        PlanWarning: {
            /** @enum {string} */
            code: "url_will_change" | "automation_stops_firing" | "trigger_narrowed" | "runner_ignored" | "provider_not_connected" | "secret_missing" | "secret_unusable" | "secret_weak" | "harness_unknown" | "runner_unknown" | "repository_without_forge" | "push_without_app" | "worker_environment_refused" | "webhook_unknown" | "schedule_unknown" | "deletes_most_webhooks" | "deletes_used_webhook" | "second_factory";
            message: string;
            path: string;
            line: number;
            column: number;
            /** @description Whether the definition cannot be applied until this is resolved. */
            blocking: boolean;
        };
        AutomationTraffic: {
            name: string;
            /** @description Number of runs under the applied definition. */
            before: number;
            /** @description Number of runs under the plan. */
            after: number;
            /** @description Some of the newest deliveries that would start a run only under the plan. */
            starts: string[];
            /** @description Some of the newest deliveries that start a run now but would not under the plan. */
            stops: string[];
        };
        /** @description The scope of the pause. If factory, webhook and automation are omitted, the whole server is paused. */
        NewPause: {
            /** @description The name or UID of a factory. */
            factory?: string;
            /** @description The name or UID of a webhook: pauses the runs that its deliveries start. */
            webhook?: string;
            /** @description The name or the id of an automation: pauses the runs that it starts. */
            automation?: string;
            /** @description The reason, shown wherever the pause is shown. */
            reason?: string;
        };
        Pause: {
            id: string;
            /** @enum {string} */
            scope: "server" | "factory" | "webhook" | "automation";
            /** @description The name of the factory; null for the server. */
            factory: string | null;
            factory_uid: string | null;
            webhook: string | null;
            webhook_uid: string | null;
            automation: string | null;
            automation_id: string | null;
            reason: string | null;
            created_by: components["schemas"]["RunCreatorInfo"];
            /** Format: date-time */
            created_at: string;
        };
        PauseList: {
            pauses: components["schemas"]["Pause"][];
            page_info: components["schemas"]["PageInfo"];
        };
        FactoryFileVersions: {
            current_version: string;
            versions: {
                schema_version: string;
                /** @description Relative to the root of the server. */
                schema_url: string;
            }[];
        };
        FactoryFileSchemas: {
            schema_version: string;
            /** @description The schemas (JSON Schema 2020-12), by file name. */
            documents: {
                [key: string]: {
                    $schema: string;
                };
            };
        };
        ValidateFilesRequest: {
            files: components["schemas"]["DefinitionFile"][];
        };
        FilesValidation: {
            valid: boolean;
            schema_version: string;
            diagnostics: {
                code: string;
                message: string;
                path: string;
                line: number;
                column: number;
                /** @enum {string} */
                severity: "error" | "warning";
            }[];
            /** @description References that only a server can resolve. */
            deferred_resolutions: {
                path: string;
                field: string;
                kind: string;
            }[];
            state_dependent_checks_not_run: string[];
            validation_scope: {
                parser: boolean;
                state_independent: boolean;
                state_dependent: boolean;
            };
        };
        Secret: {
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Whether every factory may use the secret. */
            shared: boolean;
            /** @description Names of the factories that may use the secret, limited to those that the API key can access. */
            factories: string[];
            /** @description Whether the server's own settings use the secret as a credential. Agents never receive it. */
            of_server: boolean;
        };
        SecretList: {
            secrets: components["schemas"]["Secret"][];
            page_info: components["schemas"]["PageInfo"];
        };
        SecretValue: {
            /** @description The value. If omitted, an existing secret keeps its value, and factories or shared is required. */
            value?: string;
            /** @description Names or UIDs of the factories that may use the secret. Replaces the previous list. A new secret on a server with several factories requires this field or shared; a secret set with an API key that is limited to one factory belongs to that factory. An empty list restricts the secret to the server itself. */
            factories?: string[];
            /** @description Whether every factory may use the secret, including factories added later. */
            shared?: boolean;
        };
        ApiKey: {
            id: string;
            name: string;
            /** @enum {string} */
            kind: "personal" | "agent";
            /** @enum {string} */
            role: "viewer" | "operator" | "admin";
            /** @description UIDs of the factories that the key can access; null for every factory. */
            factories: string[] | null;
            /** @description The first characters of the key, to identify it. */
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
            /** @description Whether this key comes from the server's MILLRACE_ADMIN_KEY setting. Once revoked, such a key stays revoked; set MILLRACE_ADMIN_KEY to another value to replace it. */
            from_settings: boolean;
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
            /** @description Names or UIDs of the factories that the key can access; omitted or null for every factory. */
            factories?: string[] | null;
            /** Format: date-time */
            expires_at?: string;
        };
        CreatedApiKey: {
            id: string;
            /** @description The key, shown only once. */
            key: string;
        };
        AuditRecord: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            principal: components["schemas"]["RunCreatorInfo"];
            /** @description The API key used for the call; null for a call with a run's token. */
            key_id: string | null;
            /** @description The run whose token was used for the call. In this case, the principal is the agent that executes the run. */
            run_id?: string;
            /** @description The operationId of the call. */
            action: string;
            /** @description The path parameters. */
            subject: string;
            /** @description The HTTP status of the response. */
            status: number;
            /** @description The trace id of an error response. */
            trace_id?: string;
            /** @description The address of the caller. */
            address: string;
            /** @description The number of further calls like this one that were refused within the same minute. They have no separate records: at most 60 refused calls per caller and minute are recorded. */
            repeats?: number;
            /**
             * Format: date-time
             * @description When the last of these calls arrived.
             */
            last_at?: string;
        };
        AuditLog: {
            audit_log: components["schemas"]["AuditRecord"][];
            page_info: components["schemas"]["PageInfo"];
        };
        Whoami: {
            principal: components["schemas"]["RunCreatorInfo"];
            key_id: string;
            key_name: string;
            /** @enum {string} */
            kind: "personal" | "agent";
            /** @enum {string} */
            role: "viewer" | "operator" | "admin";
            /** @description UIDs of the factories that the key can access; null for every factory. */
            factories: string[] | null;
            /**
             * Format: date-time
             * @description When the key expires.
             */
            expires_at: string | null;
            /** @description The version of the server. */
            server_version: string;
            /** @description The URL at which people and clients reach this server. */
            public_url: string;
            /** @description The URL at which senders reach the ingress of this server. */
            webhook_url: string;
            /** @description Settings that the operator should complete, for example an agent command; empty if nothing is missing. */
            server_notices: string[];
        };
        /** @description The activity of one hour, from the given time. */
        ActivityHour: {
            /** Format: date-time */
            at: string;
            accepted: number;
            duplicates: number;
            rejected: number;
            /** @description Runs created in that hour. */
            runs: number;
            /** @description Runs created in that hour that have since ended in the state FAILED or ERROR. */
            runs_failed: number;
        };
        Activity: {
            /** @description Oldest first. */
            hours: components["schemas"]["ActivityHour"][];
        };
        Setting: {
            name: string;
            /** @description The value. For a secret, it shows only that the secret is set. Null if the setting is not set. */
            value: string | null;
            is_default: boolean;
            /** @description The environment variable for this setting. */
            env: string;
            /** @description The flag of `millrace serve` for this setting. */
            flag: string | null;
            help: string;
        };
        SettingList: {
            settings: components["schemas"]["Setting"][];
        };
        Runner: {
            uid: string;
            name: string;
            description: string | null;
            docker_image: string | null;
            setup_commands: string[];
            instance_shape: {
                vcpus: number;
                memory_gb: number;
            } | null;
            defined_in: components["schemas"]["DefinedIn"];
            /** Format: date-time */
            updated_at: string;
        };
        RunnerList: {
            runners: components["schemas"]["Runner"][];
            page_info: components["schemas"]["PageInfo"];
        };
        WebhookActivity: {
            uid: string;
            name: string;
            factory: string;
            factory_uid: string;
            /** @description The last 20 deliveries, newest first. */
            latest: {
                /** @enum {string} */
                outcome: "Accepted" | "Duplicate" | "Rejected (auth)" | "Rejected (invalid JSON)" | "Rejected (too large)";
                /** Format: date-time */
                time: string;
                /** @description Why the delivery was rejected. */
                reason: string | null;
            }[];
        };
        WebhookActivityList: {
            webhooks: components["schemas"]["WebhookActivity"][];
        };
        WebhookTraffic: {
            /** @description All entries of the log, including refusals and duplicates. */
            deliveries: number;
            /** @description The entries of the last seven days. */
            deliveries_7_days: number;
            /**
             * Format: date-time
             * @description The time of the last entry.
             */
            last_delivery_at: string | null;
        };
        Delivery: {
            delivery_id: string;
            factory: string;
            webhook_uid: string;
            /** @description The name of the webhook, or null if its factory has no active definition. */
            webhook: string | null;
            /** @description Whether the webhook has been deleted. */
            webhook_deleted: boolean;
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
            /** @description Why the delivery was refused, for the owner of the webhook. */
            reason: string | null;
            body_differs: boolean | null;
            duplicate_of: string | null;
            redelivery_of: string | null;
            /** @description The event type in the provider's header, for example `issues`. */
            event?: string;
            /** @description Who sent the delivery. Null for redeliveries, and for deliveries recorded by earlier versions. */
            sender: {
                /** @description The IP address of the sender. */
                address: string;
                content_type: string | null;
                user_agent: string | null;
                /** @description The headers in which providers send the event type and the ID of a delivery. */
                headers: {
                    [key: string]: string;
                };
            } | null;
            run_ids: string[];
            /** @description The parsed body; only on a single accepted delivery fetched by its id. */
            payload?: unknown;
        };
        DeliveryList: {
            deliveries: components["schemas"]["Delivery"][];
            page_info: components["schemas"]["PageInfo"];
        };
        DeletedDeliveries: {
            /** @description The number of deliveries that were deleted. */
            deleted: number;
            /** @description The number of deliveries that were not deleted, because their runs have not ended. */
            kept: number;
        };
        TestDeliveryRequest: {
            /** @description The JSON to send; defaults to a small test body. */
            body?: unknown;
            /** @description The body as text, in place of body; sent byte for byte. */
            text?: string;
            /** @description The value of X-GitHub-Event, for a webhook with the scheme github. */
            event?: string;
        };
        TestDelivery: {
            /** @description The HTTP status of the webhook's response. */
            status: number;
            delivery_id: string | null;
            /** @description The body of the response. */
            answer: Record<string, unknown>;
        };
        DeliveryExplanation: {
            delivery_id: string;
            /** @enum {string} */
            outcome: "Accepted" | "Duplicate" | "Rejected (auth)" | "Rejected (invalid JSON)" | "Rejected (too large)";
            /** @description The result of the delivery, in a sentence. */
            summary: string;
            /** @description All automations of the factory; empty for a delivery without a stored body. */
            automations: components["schemas"]["AutomationExplanation"][];
        };
        AutomationExplanation: {
            name: string;
            enabled: boolean;
            /** @enum {string} */
            result: "Would trigger" | "Would not trigger";
            /** @description The automation's webhook triggers; a run starts if all checks of any one trigger pass. */
            triggers: {
                checks: components["schemas"]["FilterCheck"][];
            }[];
        };
        FilterCheck: {
            /** @enum {string} */
            check: "webhook" | "payload";
            passed: boolean;
            reason: string;
            /** @description The payload field that was checked. */
            field: string | null;
        };
        FilterTestRequest: {
            /** @description The UIDs of the webhooks, in the same form as in a trigger. */
            webhook_ids?: string[];
            /** @description A payload filter; if omitted, every delivery matches. */
            payload?: Record<string, unknown>;
            /** @description An accepted delivery to test the filter against. */
            delivery_id?: string;
            /** @description A JSON value to test the filter against, in place of delivery_id. */
            body?: unknown;
        } & (unknown | unknown);
        FilterTest: {
            /** @enum {string} */
            result: "Would trigger" | "Would not trigger";
            checks: components["schemas"]["FilterCheck"][];
        };
        /** @description RFC 9457 problem details. */
        Error: {
            /**
             * Format: uri
             * @description A URI that ends in the error code.
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
            /** @description The first invalid field. */
            field?: string;
            /** @description All invalid fields. */
            errors?: {
                field: string;
                message: string;
            }[];
            /** @description The problems that make a change to a definition invalid. */
            problems?: components["schemas"]["Problem"][];
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
            header?: {
                /** @description Retrying a request with the same key and body has no further effect and returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunAgentRequest"];
            };
        };
        responses: {
            /** @description The run was queued. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAgentResponse"];
                };
            };
            /** @description An error. */
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
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description The field to sort by. agent sorts by the name of the skill. */
                sort_by?: "updated_at" | "created_at" | "title" | "agent";
                /** @description The sort order: descending or ascending. */
                sort_order?: "asc" | "desc";
                /** @description Only runs in one of these states. */
                state?: components["schemas"]["RunState"][];
                /** @description Only runs in the states that correspond to these task statuses. */
                task_status?: ("running" | "failed" | "blocked" | "cancelled" | "complete")[];
                /** @description Only runs with this name in their configuration. */
                name?: string;
                /** @description Only runs with this model. */
                model_id?: string;
                /** @description Only runs created by the principal with this UID. */
                creator?: string;
                /** @description Only runs that execute as the principal with this UID. */
                executor?: string;
                /** @description Only runs started in one of these ways. */
                source?: ("API" | "CLI" | "WEB_APP" | "CUSTOM_WEBHOOK" | "SCHEDULED_AGENT" | "LINEAR" | "SLACK" | "LOCAL" | "GITHUB_ACTION" | "CLOUD_MODE" | "JIRA" | "SELF_IMPROVEMENT" | "GITHUB_WEBHOOK" | "GITLAB_WEBHOOK" | "AUTOFIX" | "RUN_SCORER" | "ORCHESTRATION" | "TEAMS" | "AZURE_DEVOPS_WEBHOOK" | "BENCHMARK_TRIAL" | "CREATE_BENCHMARK_TASK")[];
                /** @description Only runs at this location; every run of this server is REMOTE. */
                execution_location?: "LOCAL" | "REMOTE";
                /** @description Only runs created at or after this time. */
                created_after?: string;
                /** @description Only runs created before this time. */
                created_before?: string;
                /** @description Only runs updated at or after this time. */
                updated_after?: string;
                /** @description Only runs with the environment with this uid, or empty-environment for runs without one. */
                environment_id?: string;
                /** @description Only runs of this skill, given by its specification or its name. */
                skill?: string;
                /** @description Same as skill. */
                skill_spec?: string;
                /** @description Only runs started by the schedule with this id. */
                schedule_id?: string;
                /** @description Only descendants of this run, at any depth. */
                ancestor_run_id?: string;
                /** @description Only runs with all of these metadata pairs: metadata[key]=value. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Only runs with an artifact of this type. */
                artifact_type?: "PLAN" | "PULL_REQUEST" | "SCREENSHOT" | "FILE" | "EXTERNAL_REFERENCE";
                /** @description Search terms: words of the title, the beginning of the prompt or the skill; or the id or link of a run. */
                q?: string;
                /** @description Only runs started by the automation with this UID. */
                automation_id?: string;
                /** @description Only runs of one of these factories. */
                factory_uid?: string[];
                /** @description Only runs that belong to a factory. */
                factory_only?: boolean;
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
                    /** @description For how many seconds changes to runs have been waiting to appear in the list. The header is missing if the list is up to date. */
                    "Millrace-List-Lag"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunsResponse"];
                };
            };
            /** @description An error. */
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
            header?: {
                /** @description Retrying a request with the same key and body has no further effect and returns the first response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunAgentRequest"];
            };
        };
        responses: {
            /** @description The run was queued. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAgentResponse"];
                };
            };
            /** @description An error. */
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
                /** @description How long the server waits for the run to end or become blocked before it responds, at most 60s. */
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
            /** @description An error. */
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
    deleteRun: {
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
            /** @description The run was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
    followUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Retrying a request with the same key and body has no further effect and returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunFollowupRequest"];
            };
        };
        responses: {
            /** @description How the message is delivered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunFollowupResponse"];
                };
            };
            /** @description An error. */
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
    cancelRun: {
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
            /** @description The id of the run, as a bare JSON string. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
            /** @description An error. */
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
    reportBlocked: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockedReport"];
            };
        };
        responses: {
            /** @description The run is BLOCKED. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockedResponse"];
                };
            };
            /** @description An error. */
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
    listHandoffAttachments: {
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
                    "application/json": components["schemas"]["HandoffAttachmentList"];
                };
            };
            /** @description An error. */
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
    getTimeline: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
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
            /** @description A page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunTimeline"];
                };
            };
            /** @description An error. */
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
    dismissRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DismissRequest"];
            };
        };
        responses: {
            /** @description The run. It is CANCELLED, unless its agent has not exited within 15 seconds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunItem"];
                };
            };
            /** @description An error. */
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
    getConversation: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
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
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description An error. */
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
    getHarnessUsage: {
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
            /** @description The usage that the harness reported. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HarnessUsage"];
                };
            };
            /** @description An error. */
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
            /** @description An error. */
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
            /** @description An error. */
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
                /** @description Whether to stream Server-Sent Events until the run ends. */
                follow?: boolean;
            };
            header?: {
                /** @description The id of the last event received; the stream continues after it. */
                "Last-Event-ID"?: string;
                /** @description A range of the text, in bytes: bytes=0-65535, or the last bytes with bytes=-65536. */
                Range?: string;
            };
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
            /** @description The requested range. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            /** @description An error. */
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
    reportArtifact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ArtifactReport"];
            };
        };
        responses: {
            /** @description The artifact. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Artifact"];
                };
            };
            /** @description An error. */
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
    getArtifact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the artifact. */
                artifactUid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The artifact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactDetails"];
                };
            };
            /** @description An error. */
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
    downloadArtifact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the artifact. */
                artifactUid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes, with the media type derived from the file name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description An error. */
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
    downloadByLink: {
        parameters: {
            query: {
                /** @description The expiry time of the link, in seconds since 1970. */
                expires: number;
                /** @description The signature that proves that this server created the link. */
                signature: string;
            };
            header?: never;
            path: {
                /** @description The id of the artifact. */
                artifactUid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes, with the media type derived from the file name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            /** @description An error. */
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
    checkSessionRedirect: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session. */
                sessionUuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation, if any. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionRedirect"];
                };
            };
            /** @description An error. */
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
    checkConversationRedirect: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the conversation. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session, if any. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationRedirect"];
                };
            };
            /** @description An error. */
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
    getConversationTranscript: {
        parameters: {
            query?: {
                /** @description Whether to stream Server-Sent Events until the run ends. */
                follow?: boolean;
            };
            header?: {
                /** @description The id of the last event received; the stream continues after it. */
                "Last-Event-ID"?: string;
                /** @description A range of the text, in bytes: bytes=0-65535, or the last bytes with bytes=-65536. */
                Range?: string;
            };
            path: {
                /** @description The id of the conversation. */
                conversationId: string;
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
            /** @description The requested range. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            /** @description An error. */
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
    followUpConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Retrying a request with the same key and body has no further effect and returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the conversation. */
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunFollowupRequest"];
            };
        };
        responses: {
            /** @description How the message is delivered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationFollowupResponse"];
                };
            };
            /** @description An error. */
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
    listAgents: {
        parameters: {
            query?: {
                /** @description Only skills of this repository, as owner/repo. */
                repo?: string;
                /** @description Whether to fetch the repositories first. */
                refresh?: boolean;
                /** @description Whether to include skills that cannot be read, with their error. */
                include_malformed_skills?: boolean;
                /** @description The order: by name, or last used first. */
                sort_by?: "name" | "last_run";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skills, ordered by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentListResponse"];
                };
            };
            /** @description An error. */
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
    listEnvironments: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description The order: by name, or last updated first. */
                sort_by?: "name" | "last_updated";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of environments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEnvironmentsResponse"];
                };
            };
            /** @description An error. */
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
    createEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CloudEnvironmentConfig"];
            };
        };
        responses: {
            /** @description The environment. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudEnvironment"];
                };
            };
            /** @description An error. */
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
    getEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UID of the environment. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The environment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudEnvironment"];
                };
            };
            /** @description An error. */
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
    updateEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request. If the resource has been modified since then, the response is 412. Without this header, the last write wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The UID of the environment. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CloudEnvironmentConfig"];
            };
        };
        responses: {
            /** @description The environment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudEnvironment"];
                };
            };
            /** @description An error. */
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
    deleteEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request. If the resource has been modified since then, the response is 412. Without this header, the last write wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The UID of the environment. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The environment was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
    listIdentities: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAgentIdentitiesResponse"];
                };
            };
            /** @description An error. */
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
    createIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentRequest"];
            };
        };
        responses: {
            /** @description The agent. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentResponse"];
                };
            };
            /** @description An error. */
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
    getIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UID of the agent. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentResponse"];
                };
            };
            /** @description An error. */
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
    updateIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request. If the resource has been modified since then, the response is 412. Without this header, the last write wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The UID of the agent. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAgentRequest"];
            };
        };
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentResponse"];
                };
            };
            /** @description An error. */
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
    deleteIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request. If the resource has been modified since then, the response is 412. Without this header, the last write wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The UID of the agent. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
    listSchedules: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of schedules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListScheduledAgentsResponse"];
                };
            };
            /** @description An error. */
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
    createSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateScheduledAgentRequest"];
            };
        };
        responses: {
            /** @description The schedule. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledAgentItem"];
                };
            };
            /** @description An error. */
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
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the schedule. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledAgentItem"];
                };
            };
            /** @description An error. */
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
    updateSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request. If the resource has been modified since then, the response is 412. Without this header, the last write wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the schedule. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateScheduledAgentRequest"];
            };
        };
        responses: {
            /** @description The schedule. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledAgentItem"];
                };
            };
            /** @description An error. */
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
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request. If the resource has been modified since then, the response is 412. Without this header, the last write wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the schedule. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteScheduledAgentResponse"];
                };
            };
            /** @description An error. */
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
    pauseSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the schedule. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledAgentItem"];
                };
            };
            /** @description An error. */
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
    resumeSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the schedule. */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledAgentItem"];
                };
            };
            /** @description An error. */
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
    searchFactories: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description Part of a name or an alias; case-insensitive. */
                search?: string;
                /** @description Accepted, but has no effect, because a server has only one team. */
                filter_team_uid?: string;
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
                    "application/json": components["schemas"]["FactoryDetailsList"];
                };
            };
            /** @description An error. */
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
    getFactoryDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
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
                    "application/json": components["schemas"]["FactoryDetails"];
                };
            };
            /** @description An error. */
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
    dispatchRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Retrying a request with the same key and body has no further effect and returns the first response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactoryRunRequest"];
            };
        };
        responses: {
            /** @description The run was queued. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryRunResponse"];
                };
            };
            /** @description An error. */
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
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
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
            /** @description An error. */
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
    createFactory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFactory"];
            };
        };
        responses: {
            /** @description The factory. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Factory"];
                };
            };
            /** @description An error. */
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
                /** @description The name or UID of the factory. */
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
            /** @description An error. */
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
    deleteFactory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The factory was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
                /** @description Whether to respond only after the sync has finished. */
                wait?: boolean;
                /** @description Whether to allow deletions that the prune guard would block. */
                allow_deletes?: boolean;
                /** @description With allow_deletes: the only revision whose deletions are allowed, given by its hash or at least its first 7 characters. If the source has moved to another revision, the prune guard applies as usual. */
                revision?: string;
            };
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The factory after the sync, or its current state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Factory"];
                };
            };
            /** @description An error. */
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
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
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
            /** @description An error. */
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
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Retrying a request with the same key and body has no further effect. For one minute, a retry with the same API key or session returns the first response, including the secret. After that, the response is 409. A restart of the server forgets the key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The webhook. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            /** @description An error. */
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
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The UID of the webhook. */
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
            /** @description An error. */
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
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request, or *. This header is required to change an existing resource. Without it, the response is 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The UID of the webhook. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request, or *. This header is required to change an existing resource. Without it, the response is 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The UID of the webhook. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
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
            /** @description An error. */
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
                /** @description Only deliveries with one of these outcomes. Repeat the parameter for several. */
                outcome?: ("Accepted" | "Duplicate" | "Rejected (auth)" | "Rejected (invalid JSON)" | "Rejected (too large)")[];
                /** @description Only deliveries received at or after this time. */
                since?: string;
                /** @description Only deliveries received before this time. */
                until?: string;
                /** @description true: only deliveries that started runs which still exist. false: only deliveries that did not. */
                started?: boolean;
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The UID of the webhook. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. It can contain fewer deliveries than the limit, or none, while has_next_page is true. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description An error. */
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
    deleteDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The UID of the webhook. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many deliveries were deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedDeliveries"];
                };
            };
            /** @description An error. */
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
                /** @description The name or UID of the factory. */
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
            /** @description An error. */
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
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The UID of the webhook. */
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
            /** @description The webhook's response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestDelivery"];
                };
            };
            /** @description An error. */
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
                /** @description The name or UID of the factory. */
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
            /** @description An error. */
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
                /** @description The name or UID of the factory. */
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
            /** @description An error. */
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
                /** @description The name or UID of the factory. */
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
            /** @description An error. */
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
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes as received. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description An error. */
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
    deletePayload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payload was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
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
            /** @description An error. */
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
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The name or UID of the automation. */
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
            /** @description An error. */
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
    putAutomation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request, or *. This header is required to change an existing resource. Without it, the response is 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The name or UID of the automation. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutomationContent"];
            };
        };
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
            /** @description The new automation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Automation"];
                };
            };
            /** @description An error. */
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
    deleteAutomation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request, or *. This header is required to change an existing resource. Without it, the response is 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The name or UID of the automation. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
    suggestSecretName: {
        parameters: {
            query: {
                /** @description The name of the webhook. */
                webhook: string;
            };
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The suggested name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestedSecretName"];
                };
            };
            /** @description An error. */
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
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Retrying a request with the same key and body has no further effect. For one minute, a retry with the same API key or session returns the first response, including the secret. After that, the response is 409. A restart of the server forgets the key. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The UID of the webhook. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhook"];
                };
            };
            /** @description An error. */
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
    listFiles: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryFileList"];
                };
            };
            /** @description An error. */
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
    changeFiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FileChanges"];
            };
        };
        responses: {
            /** @description The applied change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedFiles"];
                };
            };
            /** @description An error. */
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
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The path of the file, relative to the root of the definition. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryFileContent"];
                };
            };
            /** @description An error. */
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
    putFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request, or *. This header is required to change an existing resource. Without it, the response is 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The path of the file, relative to the root of the definition. */
                path: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FileContent"];
            };
        };
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryFile"];
                };
            };
            /** @description The new file. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryFile"];
                };
            };
            /** @description An error. */
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
    deleteFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request, or *. This header is required to change an existing resource. Without it, the response is 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The path of the file, relative to the root of the definition. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
    planFactoryDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What would be deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryDeletion"];
                };
            };
            /** @description An error. */
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
    listRevisions: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of revisions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionList"];
                };
            };
            /** @description An error. */
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
    getCommitStanding: {
        parameters: {
            query?: {
                /** @description How long the server waits for the state to change from pending before it responds, at most 60s. */
                wait?: string;
            };
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The hash of the commit, or at least its first 7 characters. */
                commit: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the commit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommitStanding"];
                };
            };
            /** @description An error. */
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
    suspendFactory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
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
            /** @description An error. */
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
    resumeFactory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
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
            /** @description An error. */
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
    rollBackFactory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackRequest"];
            };
        };
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
            /** @description An error. */
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
    getDrift: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Drift"];
                };
            };
            /** @description An error. */
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
    exportFactory: {
        parameters: {
            query?: {
                /** @description The full hash of an attempted revision; defaults to the applied revision. */
                revision?: string;
            };
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files, byte for byte. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryExport"];
                };
            };
            /** @description An error. */
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
    adoptWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The webhook's current UID. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookAdoption"];
            };
        };
        responses: {
            /** @description The webhook, with its previous URL. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description An error. */
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
    planFactory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PlanRequest"];
            };
        };
        responses: {
            /** @description The plan, whether or not the definition is valid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description An error. */
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
    listPauses: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pauses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PauseList"];
                };
            };
            /** @description An error. */
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
    createPause: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPause"];
            };
        };
        responses: {
            /** @description The pause that was already active. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pause"];
                };
            };
            /** @description The pause. New runs wait until it ends. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pause"];
                };
            };
            /** @description An error. */
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
    endPause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the pause. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pause was ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
    listFactoryFileSchemas: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of a cached response. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryFileVersions"];
                };
            };
            /** @description The cached response is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
    getFactoryFileSchemas: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of a cached response. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The version of the definition format, for example v1alpha1. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schemas. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryFileSchemas"];
                };
            };
            /** @description The cached response is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
    getFactoryFileSchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of a cached response. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The version of the definition format, for example v1alpha1. */
                version: string;
                /** @description The schema's file name, for example webhook.schema.json. */
                document: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schema (JSON Schema 2020-12). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description The cached response is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
    validateFactoryFiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateFilesRequest"];
            };
        };
        responses: {
            /** @description The validation result, whether or not the definition is valid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesValidation"];
                };
            };
            /** @description An error. */
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
    streamEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the last event received; the stream continues after it. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events: run {run_id, state, deleted, factory_uid, at} (deleted is true if a person deleted the run), delivery {delivery_id, webhook_uid, outcome, factory_uid, at}, webhook {webhook_uid, status, factory_uid, at} (status is deleted or deliveries_deleted), factory {factory_uid, name, status, at}, pause {pause_id, status, factory_uid, at}, and reset {} when changes were missed. Send Last-Event-ID to resume. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description An error. */
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
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
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
            /** @description An error. */
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
            /** @description An error. */
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
            /** @description The secret was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
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
            /** @description An error. */
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
            header?: {
                /** @description Retrying a request with the same key and body has no further effect. For one minute, a retry with the same API key or session returns the first response, including the secret. After that, the response is 409. A restart of the server forgets the key. */
                "Idempotency-Key"?: string;
            };
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
            /** @description An error. */
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
            /** @description The key was revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An error. */
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
    listAuditLog: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the audit log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLog"];
                };
            };
            /** @description An error. */
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
    getWhoami: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key used for the request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Whoami"];
                };
            };
            /** @description An error. */
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
    getActivity: {
        parameters: {
            query?: {
                /** @description The number of hours, including the current one. */
                hours?: number;
                /** @description Only activity of this factory, given by name or UID. */
                factory?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"];
                };
            };
            /** @description An error. */
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
    listSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingList"];
                };
            };
            /** @description An error. */
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
    listRunners: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runners. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunnerList"];
                };
            };
            /** @description An error. */
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
    listWebhookActivity: {
        parameters: {
            query?: {
                /** @description Only webhooks of this factory, given by name or UID. */
                factory?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The active webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookActivityList"];
                };
            };
            /** @description An error. */
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
    getWebhookTraffic: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or UID of the factory. */
                factory: string;
                /** @description The UID of the webhook. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTraffic"];
                };
            };
            /** @description An error. */
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
    listAllDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries to this factory, given by name or UID. */
                factory?: string;
                /** @description Only deliveries to webhooks with this name or UID, including deleted webhooks. */
                webhook?: string;
                /** @description Only deliveries with one of these outcomes. Repeat the parameter for several. */
                outcome?: ("Accepted" | "Duplicate" | "Rejected (auth)" | "Rejected (invalid JSON)" | "Rejected (too large)")[];
                /** @description Only deliveries received at or after this time. */
                since?: string;
                /** @description Only deliveries received before this time. */
                until?: string;
                /** @description true: only deliveries that started runs which still exist. false: only deliveries that did not. */
                started?: boolean;
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. It can contain fewer deliveries than the limit, or none, while has_next_page is true. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description An error. */
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
