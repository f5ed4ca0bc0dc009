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
    "/agent/runs/{runId}/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the family of a run: its root and all runs that descend from it */
        get: operations["getRunTree"];
        put?: never;
        post?: never;
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
    "/agent/runs/{runId}/network": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the hosts that a run reached, and those that it was refused */
        get: operations["getRunNetwork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the steps of a run that its harness reported, oldest first */
        get: operations["listRunSteps"];
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
    "/agent/runs/{runId}/run-again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what running an ended run again would start */
        get: operations["planRunAgain"];
        put?: never;
        /** Run an ended run again, with its delivery or request */
        post: operations["runAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Wait for runs that the run has started */
        post: operations["waitForRuns"];
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
    "/agent/runs/{runId}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report the final answer of the turn */
        post: operations["reportAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report what the agent is doing */
        post: operations["reportStatus"];
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
    "/agent/runs/{runId}/artifact-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store a file as an artifact of the run before its turn ends */
        post: operations["reportArtifactFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the note that the run shares with the runs of its family */
        get: operations["getNote"];
        /** Change the note that the run shares with the runs of its family */
        put: operations["putNote"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a delivery of the run, or of the run that its family began with */
        get: operations["getRunDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agents of the run's factory, and which of them the run may start */
        get: operations["listRunAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/runs/{runId}/oidc-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an OpenID Connect token that proves to a service which run calls */
        post: operations["createIdentityToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/identity-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the key that signs the identity tokens of runs */
        post: operations["createIdentityKey"];
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
    "/agent/runs/{runId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the newest 2,000 deliveries that a run is about, oldest first */
        get: operations["listRunDeliveries"];
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
        /** Get the conversation of a session that has ended; without a key, the answer is empty for every id */
        get: operations["checkSessionRedirect"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/conversations/{conversationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages of a conversation, oldest first */
        get: operations["getConversationById"];
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
        /** Get the live session of a conversation; without a key, the answer is empty for every id */
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
    "/agent/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List models that runs can name: those of definitions, and those whose price is known */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
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
    "/factory/{uid}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tasks of a factory */
        get: operations["listTasks"];
        put?: never;
        /** Create a task for the conversation of a run */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/tasks/{taskUid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a task */
        get: operations["getTask"];
        put?: never;
        post?: never;
        /** Delete a task; its runs are preserved */
        delete: operations["deleteTask"];
        options?: never;
        head?: never;
        /** Change the title, the description or the stage of a task */
        patch: operations["updateTask"];
        trace?: never;
    };
    "/factory/{uid}/tasks/{taskUid}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a task and all of its runs */
        post: operations["cancelTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/tasks/{taskUid}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the runs of a task, oldest first */
        get: operations["listTaskRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/tasks/{taskUid}/conversation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the messages of all runs of a task, oldest first, and its links */
        get: operations["getTaskConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/task-by-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the task that a run belongs to */
        get: operations["getTaskByRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/task-by-conversation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the task of a conversation */
        get: operations["getTaskByConversation"];
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
        /** Set or rotate a webhook's secret; without an overlap, the old secret stops working immediately */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/webhooks/{uid}/end-overlap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop accepting the previous secret of a webhook */
        post: operations["endSecretOverlap"];
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
    "/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List notifications, newest first */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a notification */
        get: operations["getNotification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-targets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the targets of notifications */
        get: operations["listNotificationTargets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notification-targets/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test notification to a target */
        post: operations["testNotificationTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/outbound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the outbound webhooks of a factory */
        get: operations["listOutbound"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/outbound/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an outbound webhook of a factory */
        get: operations["getOutbound"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/outbound/{name}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deliveries of an outbound webhook of a factory, newest first */
        get: operations["listOutboundDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/outbound/{name}/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a delivery of an outbound webhook of a factory, with its body */
        get: operations["getOutboundDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/outbound/{name}/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery of an outbound webhook of a factory again, with the same webhook-id and body */
        post: operations["redeliverOutbound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/outbound/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test event to an outbound webhook of a factory */
        post: operations["testOutbound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/outbound/{name}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Explain whether an outbound webhook of a factory sends an event, and show its body */
        post: operations["explainOutbound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/outbound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the outbound webhooks of the settings */
        get: operations["listServerOutbound"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/outbound/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an outbound webhook of the settings */
        get: operations["getServerOutbound"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/outbound/{name}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the deliveries of an outbound webhook of the settings, newest first */
        get: operations["listServerOutboundDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/outbound/{name}/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a delivery of an outbound webhook of the settings, with its body */
        get: operations["getServerOutboundDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/outbound/{name}/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery of an outbound webhook of the settings again, with the same webhook-id and body */
        post: operations["redeliverServerOutbound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/outbound/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test event to an outbound webhook of the settings */
        post: operations["testServerOutbound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/outbound/{name}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Explain whether an outbound webhook of the settings sends an event, and show its body */
        post: operations["explainServerOutbound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factories/{factory}/outbound/{name}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Generate a new signing secret for an outbound webhook; it is shown once */
        post: operations["rotateOutboundSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workers/demand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count waiting and executing runs by the worker that they demand, for autoscalers */
        get: operations["getWorkerDemand"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List workers with their state, load and last contact, without their tokens */
        get: operations["listWorkers"];
        put?: never;
        /** Create a worker; its token is shown only once */
        post: operations["createWorker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a worker */
        get: operations["getWorker"];
        put?: never;
        post?: never;
        /** Delete a worker and revoke its token immediately */
        delete: operations["revokeWorker"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workers/{id}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Drain a worker: it finishes its turns and gets no new ones */
        post: operations["drainWorker"];
        /** End the drain of a worker, so that it gets turns again */
        delete: operations["endWorkerDrain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agent/connected-self-hosted-workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the worker hosts that are connected */
        get: operations["listConnectedWorkers"];
        put?: never;
        post?: never;
        delete?: never;
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
        /** Stream changes to runs, tasks, deliveries, webhooks, factories, budgets and pauses as Server-Sent Events */
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
    "/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the servers that share the store, with their load and last contact */
        get: operations["listServers"];
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
    "/activity/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count deliveries and runs of a time range, by minute, hour or day */
        get: operations["getActivityHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/factories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the open runs of each factory, and its deliveries and runs of the last 24 hours */
        get: operations["listFactoryActivity"];
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
    "/activity/automations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List how the recent runs of each automation went */
        get: operations["listAutomationActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List how the recent runs of each agent went */
        get: operations["listAgentActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sum tokens, cost and working time by automation, agent, factory, model or day */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the runs with the highest known cost */
        get: operations["listCostliestRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the productivity of a factory */
        get: operations["getFactoryMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/metrics/run-breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the runs of a factory by group */
        get: operations["getRunBreakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/costs/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sum the spend of a factory by group */
        get: operations["getCostBreakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/costs/per-pr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the cost per pull request of a factory */
        get: operations["getPrCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/costs/per-pr/by-size": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the cost per pull request of a factory by the size of the pull requests */
        get: operations["getPrCostsBySize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/costs/per-pr/top": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the pull requests of a factory with the highest known cost */
        get: operations["listCostliestPullRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/factory/{uid}/pull-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the pull requests that runs of a factory reported */
        get: operations["listPullRequests"];
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
    "/factories/{factory}/deliveries/{delivery_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a delivery as the file of a test of an automation, without writing anything */
        get: operations["makeDeliveryTest"];
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
            /** @description How long the run's agents were running, in all turns together, as an ISO 8601 duration. Only of runs that have ended. */
            run_time?: string;
            /** @description The part of the turns that have ended in which the agents worked, without the time in which they were waiting for a person, as an ISO 8601 duration. Not known for runs of earlier versions. */
            work_time?: string;
            /** @description What the models have cost so far, as far as it is known. */
            cost_usd?: number;
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
            parent?: components["schemas"]["RunParent"];
            checkout?: components["schemas"]["RequestedCheckout"];
            /** @description The task that the run belongs to. */
            task_uid?: string;
            /**
             * Format: uuid
             * @description The run that this run repeats. It may have been deleted.
             */
            rerun_of?: string;
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
            /** @description What the agent says that it is doing, as it reported last in this turn. */
            status_line?: string;
            question?: components["schemas"]["RunQuestion"];
            request_usage?: components["schemas"]["RequestUsage"];
            resources?: components["schemas"]["RunResources"];
            waiting?: components["schemas"]["RunWaiting"];
            /** @description The runs that the run waits for and that have not ended. If `is_sandbox_running` is false, their ends begin the next turn of the run. */
            waiting_for?: string[];
            artifacts?: components["schemas"]["Artifact"][];
            factory_uid?: string;
            automation_id?: string;
            delivery_id?: string;
            webhook_uid?: string;
            trigger?: components["schemas"]["RunTrigger"];
        };
        /** @description Why a queued run waits. Only in the response for a single run. */
        RunWaiting: {
            /**
             * @description paused: a pause holds the run; window: the run waits until no further deliveries have come for a while; key: another run with the same key has not ended; automation_limit: as many runs of the automation are in progress as its limit allows; hourly_limit: the factory has started as many runs in the last hour as its limit allows; budget: the budget of the factory, the agent or the automation for 24 hours is used up; no_worker: no worker that the run could execute on is connected; workspace: the worker that has the workspace of the run is not connected, or is busy; after a while another one takes the run; worker_limit: all connected workers that the run could execute on are busy, or drain and get no more runs; server_limit: the server executes as many runs at the same time as it can; disk_space: the server has too little free disk space to start runs; order: runs that were created earlier start first; starting: the run is about to start
             * @enum {string}
             */
            reason: "paused" | "window" | "key" | "automation_limit" | "hourly_limit" | "budget" | "no_worker" | "workspace" | "worker_limit" | "server_limit" | "disk_space" | "order" | "starting";
            /** @description The reason in words, with the numbers. */
            message: string;
            /** @description How many runs that wait for the same reason start before this run; 100 stands for 100 or more. */
            place: number;
        };
        /** @description The event of its factory that started the run. */
        RunTrigger: {
            /** @enum {string} */
            event: "work_item_stage_changed" | "run_ended" | "run_blocked";
            /**
             * Format: uuid
             * @description The run that ended or asked a person, or whose agent moved the task.
             */
            run_id?: string;
            /** @description The task that moved to another stage. */
            task_uid?: string;
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
        RunTree: {
            /**
             * Format: uuid
             * @description The root of the family. It may have been deleted.
             */
            root_run_id: string;
            /** @description The runs of the family that the caller can access, oldest first; at most 500. With the token of a run: that run and its descendants. */
            runs: components["schemas"]["RunTreeItem"][];
        };
        RunTreeItem: {
            /** Format: uuid */
            run_id: string;
            /** Format: uuid */
            parent_run_id: string | null;
            /** @description The name of the agent that executes the run. */
            agent: string;
            title: string;
            state: components["schemas"]["RunState"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            /** @description The runs that the run waits for. */
            waiting_for?: string[];
            /** @description What the models have cost so far, as far as it is known. */
            cost_usd?: number;
            is_sandbox_running: boolean;
        };
        /** @description The run that started this run, if it is stored. Only in the response for a single run. */
        RunParent: {
            /** Format: uuid */
            run_id: string;
            title: string;
            state: components["schemas"]["RunState"];
        };
        WaitRequest: {
            /** @description The runs to wait for: descendants of the run. By default, the run's own children that have not ended, and those whose results it has not been given. If it has been given all results, all of its children. */
            run_ids?: string[];
            /**
             * @description Whether all of the runs have to end, or any one of them.
             * @default all
             * @enum {string}
             */
            mode: "all" | "any";
            /**
             * @description When the wait ends although the runs have not ended.
             * @default 86400
             */
            timeout_seconds: number;
            /**
             * @description How long the server waits for the results before it responds.
             * @default 0
             */
            hold_seconds: number;
        };
        WaitResponse: {
            /**
             * @description done: the runs have ended as the mode requires. waiting: the wait is recorded. When the agent exits with code 0, the run waits without a process, and the results begin its next turn. timed_out: the time limit was reached first.
             * @enum {string}
             */
            state: "done" | "waiting" | "timed_out";
            runs: components["schemas"]["ChildResult"][];
        };
        ChildResult: {
            /** Format: uuid */
            run_id: string;
            /** @description The name of the agent that the run was given to. */
            agent: string;
            title: string;
            state: components["schemas"]["RunState"];
            /** @description Whether the agent of the run is running. False for a run that is queued or waits for other runs. */
            is_sandbox_running: boolean;
            /** @description The agent's final answer. Null until the run has ended. */
            answer: string | null;
            status_message: components["schemas"]["RunStatusMessage"] | null;
            artifacts: components["schemas"]["Artifact"][];
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
            /** @description The turn in which the event happened, and the ids of its messages in the conversation. agent_started also has the agent's isolation; artifact_contains_secret also has the file; oz_run_cancelled of a dismissed run also has who dismissed it, and the reason. trigger_refused has the automation that the run did not start, and the reason. network_refused has the host and the port that a program of the run was not connected to, and the reason. mcp_server_failed has the name of an MCP server that did not start, and the reason. */
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
                /** @description The messages that the agent of this turn was given, of agent_started; the messages that it may not have read, and that the next turn gets again, of messages_unconfirmed. */
                message_ids?: string[];
                /** @description The runs that the run waits for, of oz_run_waiting. */
                run_ids?: string[];
                /** @description Who dismissed the run. */
                by?: string;
                /** @description Why the run was dismissed, or why start_refused or trigger_refused did not start a run. */
                reason?: string;
                /**
                 * Format: uuid
                 * @description The run that child_started started.
                 */
                run_id?: string;
                /** @description The agent of child_started or start_refused. */
                agent?: string;
                /** @description Of mcp_server_failed: the MCP server. */
                name?: string;
                /** @description Of network_refused: the host. */
                host?: string;
                /** @description Of network_refused: the port. */
                port?: number;
                /** @description Of trigger_refused: the automation that was not started. */
                automation?: string;
                /** @description Of identity_token_issued: the audience of the identity tokens, once for each. */
                audience?: string;
            };
        };
        RunAgainPlan: {
            /**
             * Format: uuid
             * @description The run that is run again.
             */
            run_id: string;
            /**
             * @description automation: the run's automation as it is defined now. request: the recorded prompt and configuration of the run.
             * @enum {string}
             */
            based_on: "automation" | "request";
            title: string;
            source: components["schemas"]["RunSourceType"];
            /** @description The name of its factory. */
            factory?: string;
            /** @description The name of its automation. */
            automation?: string;
            /** @description Whether the automation is enabled. A disabled automation does not prevent the run. */
            automation_enabled?: boolean;
            /** @description The name of the agent that executes it. */
            agent?: string;
            /**
             * Format: uuid
             * @description The delivery whose payload it gets.
             */
            delivery_id?: string;
            /** @description The name of its schedule. */
            schedule?: string;
            /** @description The names of the files that it gets. */
            attachments: string[];
            /** @description The names of the secrets that it gets. */
            secrets: string[];
            /** @description Whether a pause makes it wait. */
            is_paused: boolean;
        };
        /** @description The model usage of the run so far, in all turns, if the harness reports it. */
        RequestUsage: {
            /** @description The known cost; omitted if neither the harness nor the price of a model tells one. */
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
        /** @description What the agents of a run took of the machines that executed them. */
        RunResources: {
            /** @description How long the agent was running; null while the turn goes on. */
            work_seconds: number | null;
            /** @description The CPU time of the agent and of what it started; null if the run had no cgroup to measure it. */
            cpu_seconds: number | null;
            /** @description The highest memory use of the same processes; null if it was not measured. */
            peak_memory_bytes: number | null;
            turns: {
                turn: number;
                /** @description How long the agent was running; null while the turn goes on. */
                work_seconds: number | null;
                /** @description The CPU time of the agent and of what it started; null if the run had no cgroup to measure it. */
                cpu_seconds: number | null;
                /** @description The highest memory use of the same processes; null if it was not measured. */
                peak_memory_bytes: number | null;
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
            resources?: components["schemas"]["RunResources"];
            usage?: {
                /** @description All input tokens, including those read from a cache. */
                input_tokens: number;
                output_tokens: number;
                /** @description The input tokens that were read from a cache. */
                cached_tokens: number;
                /** @description The cost in US dollars: as reported by the harness, and otherwise the tokens times the price of the model; null if neither is known. */
                cost_usd: number | null;
                /** @description Input and output tokens whose cost is unknown, and therefore not part of cost_usd. */
                unpriced_tokens: number;
                turns: {
                    turn: number;
                    model_id: string;
                    /** @description All input tokens, including those read from a cache. */
                    input_tokens: number;
                    output_tokens: number;
                    /** @description The input tokens that were read from a cache. */
                    cached_tokens: number;
                    /** @description The cost in US dollars: as reported by the harness, and otherwise the tokens times the price of the model; null if neither is known. */
                    cost_usd: number | null;
                    /** @description Input and output tokens whose cost is unknown, and therefore not part of cost_usd. */
                    unpriced_tokens: number;
                    /**
                     * @description Whether the harness reported the cost, or it was calculated from the price of the model when the usage was stored.
                     * @enum {unknown}
                     */
                    cost_source: "reported" | "priced" | null;
                    /**
                     * @description Whether the harness reported the tokens, or they were measured on the network. An estimate is what was measured where answers did not tell all tokens: the others are estimated from the size of requests and answers.
                     * @enum {string}
                     */
                    source: "harness" | "proxy" | "estimate";
                    /** Format: date-time */
                    reported_at: string;
                }[];
            };
        };
        /** @description The newest 2,000 deliveries that a run is about, in the order in which they came. */
        RunDeliveries: {
            deliveries: {
                delivery_id: string;
                /**
                 * @description What the delivery did. repeated: it came to the run that this run repeats, and was given to this run too.
                 * @enum {string}
                 */
                kind: "started" | "joined" | "replaced" | "continued" | "repeated";
                /** @description The concurrency key of the delivery. */
                key: string | null;
                /** Format: date-time */
                time: string;
            }[];
        };
        /** @description The hosts that a run reached and was refused, in all turns. Recorded only for runs whose network is limited. */
        RunNetwork: {
            reached: {
                host: string;
                port: number;
                /** @description The number of connections or requests. */
                requests: number;
            }[];
            refused: {
                host: string;
                port: number;
                /** @description The number of connections or requests. */
                requests: number;
                /** @enum {string} */
                reason: "not_allowed" | "private_address" | "host_mismatch" | "invalid" | "unresolved" | "unreachable" | "too_many_connections" | "over_budget";
            }[];
        };
        /** @description The question that a blocked run asks. */
        RunQuestion: {
            text: string;
            /** @description The answers that it offers; any text is an answer. */
            choices: string[];
            /** @enum {string} */
            urgency: "low" | "normal" | "high";
            /** Format: date-time */
            asked_at: string;
        };
        AnswerReport: {
            /** @description The final answer of the turn, at most 65,536 characters. */
            text: string;
        };
        StatusReport: {
            /** @description What the agent is doing, at most 200 characters. */
            text: string;
        };
        ReportReceipt: {
            /** Format: uuid */
            run_id: string;
            /** @description The text as it was stored: secrets are masked. */
            text: string;
        };
        ArtifactFileReport: {
            /** @description The path of the file below artifacts/, for example reports/result.json. */
            name: string;
            /** @description A media type such as image/png. */
            mime_type?: string;
            /**
             * Format: base64
             * @description The content, as base64; at most 1 MiB of bytes.
             */
            data: string;
        };
        FamilyNote: {
            /** @description The text; empty if nothing was written yet. */
            text: string;
            /** Format: date-time */
            updated_at: string | null;
            /** @description The name of the agent that wrote last. */
            updated_by: string | null;
            /** Format: uuid */
            updated_by_run_id?: string;
        };
        FamilyNoteChange: {
            /** @description The new text, at most 65,536 characters. */
            text: string;
            /** @description Whether to add the text to the end, on a new line. If the page is then longer than 65,536 characters, its beginning is dropped. */
            append?: boolean;
        };
        RunDelivery: {
            delivery_id: string;
            /** @description The name of the webhook; null if it was deleted. */
            webhook: string | null;
            event: string | null;
            /** Format: date-time */
            received_at: string;
            /** @description The headers with the event and the id of the delivery. */
            headers?: {
                [key: string]: string;
            };
            /** @description The body of the delivery. */
            payload: unknown;
        };
        RunAgents: {
            agents: {
                name: string;
                type: string;
                description: string;
                /** @description Whether the grant of the run allows it to start this agent. */
                may_start: boolean;
            }[];
        };
        IdentityTokenRequest: {
            /** @description Who the token is for, as the service expects it in the claim aud, for example sts.amazonaws.com: at most 200 printable ASCII characters. */
            audience: string;
        };
        IdentityToken: {
            /** @description A JSON Web Token, which is not stored. */
            token: string;
            /** Format: date-time */
            expires_at: string;
        };
        IdentityKeyChange: {
            /** @description Whether all previous keys are removed immediately, so that no service accepts tokens that they have signed after it has read the keys again. */
            revoke?: boolean;
        };
        IdentityKey: {
            /** @description The kid of the tokens that the key signs. */
            key_id: string;
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
            /** @description The branch of a pull request, which is empty if the agent did not report it, or the name of a reported branch. */
            branch?: string;
            /**
             * @description The status of a pull request. It is always unknown, because the forge is not queried.
             * @enum {string}
             */
            status?: "unknown";
            /** @description The type of an external reference; branch for a branch, which may have no url. */
            reference_type?: string;
            /** @description The repository of a reported branch, as owner/name. */
            repository?: string;
            /** @description The commit that a reported branch had. */
            commit?: string;
            /** @description The text of a plan. */
            content?: string;
            /** @description The path of a file, relative to the folder artifacts/. */
            filepath?: string;
            filename?: string;
            /**
             * @description Set for files whose names end in .patch or .diff.
             * @enum {string}
             */
            kind?: "patch";
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
            /** @description The branch of a pull request, which is empty if the agent did not report it, or the name of a reported branch. */
            branch?: string;
            /**
             * @description The status of a pull request. It is always unknown, because the forge is not queried.
             * @enum {string}
             */
            status?: "unknown";
            /** @description The type of an external reference; branch for a branch, which may have no url. */
            reference_type?: string;
            /** @description The repository of a reported branch, as owner/name. */
            repository?: string;
            /** @description The commit that a reported branch had. */
            commit?: string;
            /** @description The text of a plan. */
            content?: string;
            /** @description The path of a file, relative to the folder artifacts/. */
            filepath?: string;
            filename?: string;
            /**
             * @description Set for files whose names end in .patch or .diff.
             * @enum {string}
             */
            kind?: "patch";
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
                /**
                 * Format: uuid
                 * @description The run whose agent has sent the message, if that is another run.
                 */
                run_id?: string;
            };
            /** @description The text; in messages of the agent, secrets are masked. */
            text: string;
            /** @description The answers that a question offers. */
            choices?: string[];
            /**
             * @description The urgency of a question.
             * @enum {string}
             */
            urgency?: "low" | "normal" | "high";
            /**
             * @description Whether the agent was given the message, the message waits for the agent or its next turn, or the run was cancelled first. Messages of the agent are given.
             * @enum {string}
             */
            state: "given" | "waiting" | "withdrawn";
            /** @description True if the agent of an earlier turn may already have read the message: that turn ended before the agent wrote anything after the message. */
            repeated?: boolean;
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
        RunSteps: {
            steps: components["schemas"]["RunStep"][];
            page_info: components["schemas"]["PageInfo"];
        };
        RunStep: {
            /** @description The number of the step; later steps have higher numbers. */
            id: number;
            turn: number;
            /** Format: date-time */
            time: string;
            /**
             * @description A notice is a message of the program itself, such as a retry. Output is a line that is not an event of the program. A result ends a turn, or a part of it.
             * @enum {string}
             */
            type: "message" | "thinking" | "plan" | "tool_call" | "tool_result" | "notice" | "output" | "result";
            /** @description The text; secrets are masked, and long texts are cut. */
            text?: string;
            /** @description Connects a tool call with its result. */
            call_id?: string;
            /** @description The name of the tool. */
            name?: string;
            /** @description The input of the tool; usually JSON or a command. */
            input?: string;
            output?: string;
            is_error?: boolean;
            tokens?: number;
            cost_usd?: number;
            duration_ms?: number;
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
            /** @description Whether a turn fails if the server does not start. An extension of millrace. */
            required?: boolean;
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
            /** @description Where runs execute: the name of a worker or of a pool of workers, or labels:a,b for any worker that has all of these labels. warp, local and millrace mean this server, as does an empty value. */
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
            /** @description What the run can reach over the network: none (only the API of this server), all, or hosts in allow. A locked list of the definition or of the server still applies. An extension of millrace. */
            network?: ("none" | "all") | {
                allow: string[];
                locked?: boolean;
            };
            /** @description What the run may use, in all turns together. The tightest limit of the request, the agent, the automation and the factory counts. A run that uses more is ended with budget_exceeded. */
            budget?: {
                /** @description US dollars. The price of the model has to be known. */
                usdPerRun?: number;
                /** @description Tokens of input and output. Input that was read from a cache counts as well. */
                tokensPerRun?: number;
            };
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
        ListModelsResponse: {
            models: components["schemas"]["ListedModel"][];
        };
        ListedModel: {
            /** @description The name, as `config.model_id` of a request. */
            id: string;
            /** @description The same as the id. */
            display_name: string;
            /**
             * @description The provider that lists the model's price; `UNKNOWN` for other models.
             * @enum {string}
             */
            provider: "OPENAI" | "ANTHROPIC" | "GOOGLE" | "UNKNOWN";
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
            /** @description Where runs execute: the name of a worker or of a pool of workers, or labels:a,b for any worker that has all of these labels. warp, local and millrace mean this server, as does an empty value. */
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
            /** @description Where runs execute: the name of a worker or of a pool of workers, or labels:a,b for any worker that has all of these labels. warp, local and millrace mean this server, as does an empty value. */
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
            /** @description The time zone of the cron expression, as the IANA time zone database names it. */
            timezone: string;
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
            /** @description A cron expression of five fields, a macro such as @daily, or @every 30m; without control characters. */
            cron_schedule: string;
            /** @description The time zone of the cron expression, as the IANA time zone database names it. Defaults to UTC. */
            timezone?: string;
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
            /**
             * @description plan: the agent plans, and carries out its plan when a person has approved it. orchestrate: the run is for the foreman of the factory, which may start other agents.
             * @enum {string}
             */
            mode?: "normal" | "plan" | "orchestrate";
        };
        UpdateScheduledAgentRequest: {
            /** @description At most 200 characters, no control characters, and not only spaces. */
            name: string;
            /** @description A cron expression of five fields, a macro such as @daily, or @every 30m; without control characters. */
            cron_schedule: string;
            /** @description The time zone of the cron expression, as the IANA time zone database names it. Unchanged if omitted. */
            timezone?: string;
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
            /**
             * @description plan: the agent plans, and carries out its plan when a person has approved it. orchestrate: the run is for the foreman of the factory, which may start other agents.
             * @enum {string}
             */
            mode?: "normal" | "plan" | "orchestrate";
        };
        DeleteScheduledAgentResponse: {
            success: boolean;
        };
        RunAgentRequest: {
            /** @description The prompt for the agent; required unless a skill is given. */
            prompt?: string;
            /**
             * @description plan: the agent plans, and carries out its plan when a person has approved it. orchestrate: the run is for the foreman of the factory, which may start other agents.
             * @enum {string}
             */
            mode?: "normal" | "plan" | "orchestrate";
            /** @description A skill such as owner/repo:name. */
            skill?: string;
            config?: components["schemas"]["AmbientAgentConfig"];
            /** @description Non-empty text. */
            title?: string;
            team?: boolean;
            agent_identity_uid?: string;
            /** @description The name of an agent of the factory. With the token of a run: the agent to start, which is required. */
            agent?: string;
            /** @description The factory that the run belongs to, by name or UID; its foreman executes the run if no agent is specified. */
            factory?: string;
            on_behalf_of?: string;
            conversation_id?: string;
            attachments?: components["schemas"]["AttachmentInput"][];
            /** @deprecated */
            images?: components["schemas"]["ImageInput"][];
            /** @description File artifacts of the parent run, by path or UID, that become attachments of this run. At most 8 MiB in total. */
            artifacts?: string[];
            checkout?: components["schemas"]["RequestedCheckout"];
            parent_run_id?: string;
            interactive?: boolean;
            /** @description Key-value pairs, at most 20: keys of 1 to 64 letters, digits, dots, underscores and hyphens; values of at most 256 bytes. */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description Where a repository of the run is checked out. Without it, repositories are on their default branches. */
        RequestedCheckout: {
            /** @description A branch, a tag, a commit of a branch or tag, or a full name such as refs/pull/7/head. If it does not exist when the run is prepared, the run ends in the state FAILED. */
            ref: string;
            /** @description The repository, as owner/name; required if the run has several repositories. */
            repository?: string;
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
            /** @description An artifact of a run. Pull requests and external references require url, plans require title, and external references of the type branch require repository and branch instead of url. */
            data: {
                title?: string;
                /** @description An https or http URL. */
                url?: string;
                branch?: string;
                /** @description The type of an external reference, for example linear_issue or branch. */
                reference_type?: string;
                /** @description The repository of a branch, as owner/name. */
                repository?: string;
                /** @description The hash of the commit that the branch has. */
                commit?: string;
                /** @description The text of a plan, at most 256 KiB. */
                content?: string;
            };
        };
        BlockedReport: {
            /** @description The agent's question, at most 16 KiB. */
            message: string;
            /** @description Answers to choose from, at most 10 of 200 characters. A person may answer differently. */
            choices?: string[];
            /**
             * @description The default is normal.
             * @enum {string}
             */
            urgency?: "low" | "normal" | "high";
        };
        RunFollowupRequest: {
            /** @description Non-empty text. */
            message: string;
            /**
             * @description plan: the agent plans, and carries out its plan when a person has approved it. orchestrate: the run is for the foreman of the factory, which may start other agents.
             * @enum {string}
             */
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
            /** @description The task that was created with the run. */
            task_uid: string;
        };
        /**
         * @description The stage of a task.
         * @enum {string}
         */
        TaskStage: "TRIAGE" | "SPEC" | "IMPLEMENT" | "REVIEW" | "COMPLETE" | "CANCELLED";
        Task: {
            uid: string;
            factory_uid: string;
            /**
             * Format: uuid
             * @description The conversation of the task, which is that of its first run.
             */
            conversation_id: string;
            /**
             * Format: uuid
             * @description The run that the task was created for.
             */
            run_id: string;
            title: string;
            description?: string | null;
            stage: components["schemas"]["TaskStage"];
            /**
             * Format: date-time
             * @description When the task entered its stage.
             */
            stage_changed_at: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When the title, the description or the stage last changed.
             */
            updated_at: string;
            author?: components["schemas"]["RunCreatorInfo"];
            ticket_id?: string;
            ticket_source?: string;
            /** Format: uri */
            ticket_url?: string;
            /** @description The newest run of the task that has not ended, or else its newest run. */
            current_run?: components["schemas"]["TaskRun"];
            /** @description The newest run of the task that waits for an answer. */
            blocked_run?: components["schemas"]["TaskRun"];
            /** @description The artifacts of the task's runs, newest first, at most 100. A list contains only those of the first run, and only with full_list. */
            outputs?: components["schemas"]["Artifact"][];
        };
        TaskRun: {
            /** Format: uuid */
            run_id: string;
            state: components["schemas"]["RunState"];
            is_run_type_cancellable: boolean;
            /** @description The agent or principal that the run executes as. */
            agent: string;
        };
        TaskList: {
            tasks: components["schemas"]["Task"][];
            page_info: components["schemas"]["PageInfo"];
        };
        CreateTaskRequest: {
            /** @description Non-empty text of at most 500 characters. */
            title: string;
            /**
             * Format: uuid
             * @description The conversation of a run of the factory that does not belong to a task.
             */
            conversation_id: string;
            /** @description A text of at most 16 KiB. An empty text or null removes the description. */
            description?: string | null;
            stage?: components["schemas"]["TaskStage"];
        };
        UpdateTaskRequest: {
            /** @description Non-empty text of at most 500 characters. */
            title?: string;
            /** @description A text of at most 16 KiB. An empty text or null removes the description. */
            description?: string | null;
            stage?: components["schemas"]["TaskStage"];
        };
        TaskConversation: {
            task_uid: string;
            messages: components["schemas"]["TaskMessage"][];
            /** @description The ticket, then the pull requests, plans and references among the 100 newest artifacts, newest first. */
            links: components["schemas"]["TaskLink"][];
            page_info: components["schemas"]["PageInfo"];
        };
        TaskMessage: {
            /** Format: uuid */
            run_id: string;
            /** @description The agent or principal that the run executes as. */
            agent: string;
            message: components["schemas"]["RunMessage"];
        };
        TaskLink: {
            /** @enum {string} */
            type: "ticket" | "pull_request" | "plan" | "reference";
            title: string;
            url?: string;
            /** @description The artifact that the link is from. */
            artifact_uid?: string;
            /** Format: date-time */
            created_at?: string;
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
            /** @description Only if the factory has one. */
            budget?: components["schemas"]["Budget"];
        };
        /** @description What its runs may use, and what they have used in the last 24 hours. */
        Budget: {
            /** @description In US dollars. */
            usdPerRun?: number;
            /** @description In US dollars. */
            usdPerDay?: number;
            tokensPerRun?: number;
            runsPerDay?: number;
            /** @enum {string} */
            onExhausted: "wait" | "skip";
            used: {
                /** @description In US dollars, as far as the costs are known. */
                usdPerDay: number;
                /** @description The runs that have started. */
                runsPerDay: number;
            };
            /**
             * Format: date-time
             * @description While a limit for a day is used up: when runs can start again, if none uses more until then.
             */
            opens_at: string | null;
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
            /** @description The previous secret, while a rotation with an overlap still accepts it. */
            previous_secret: components["schemas"]["PreviousSecret"] | null;
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
            /** @description Only if the automation has one. */
            concurrency_key?: components["schemas"]["ConcurrencyKey"];
            /** @description Only if the automation has one. */
            debounce?: components["schemas"]["Debounce"];
            /**
             * @description Whether a schedule whose time passed while the server was down is skipped or fires once.
             * @enum {string}
             */
            missed: "skip" | "once";
            /** @description The time zone of the cron expressions in its triggers. */
            timezone: string;
            /** @description Whether its runs get a token with which they can push. */
            push: boolean;
            /** @description What the definition says about the network of its runs. The last rule applies, and every locked one before it. The settings of the server and the runner can limit the network too. */
            network: components["schemas"]["DefinedNetworkRule"][];
            /** @description The template of the titles of its runs; null for the default title. */
            title: string | null;
            /** @description Only if the automation has one. */
            budget?: components["schemas"]["Budget"];
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
        DefinedNetworkRule: {
            /**
             * @description The file that says so.
             * @enum {string}
             */
            of: "factory" | "agent" | "automation";
            /** @description none (only the API of this server), all, or the hosts in allow. */
            rule: ("none" | "all") | {
                allow: string[];
                locked?: boolean;
            };
        };
        /** @description What makes deliveries one thing. */
        ConcurrencyKey: {
            /** @description The template of the key. */
            key: string;
            /**
             * @description What a delivery does while a run of its key has not ended.
             * @enum {string}
             */
            while_running: "queue" | "join" | "replace" | "continue";
            /** @description A duration, for example 24h. */
            forget_after: string;
            max_turns: number;
        };
        /** @description How long a run waits for further deliveries, as durations such as 30s. */
        Debounce: {
            /** @description Since the last delivery. */
            quiet: string;
            /** @description Since the first delivery. */
            longest: string;
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
                 * @description The unit: seconds or milliseconds since 1970, or a date and time with an offset (RFC 3339). Default s.
                 * @enum {unknown}
                 */
                unit?: "s" | "ms" | "iso";
                /** @description The tolerance in seconds, before and after the current time. Default 300. */
                tolerance?: number;
            } & (unknown | unknown | unknown);
            /** @description A signed request that only asks for an answer and is not a delivery. */
            handshake?: {
                /** @description A payload filter that recognizes the request. */
                when: Record<string, unknown>;
                /** @description The fields of the JSON object that is sent back. */
                answer: {
                    [key: string]: {
                        body: components["schemas"]["BodyPath"];
                    } | {
                        hmac: {
                            body: components["schemas"]["BodyPath"];
                        };
                        /** @enum {unknown} */
                        encoding: "hex" | "base64";
                    };
                };
            };
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
            /** @description How long the webhook still accepts the previous secret, for example 24h or 7d; at most 30d. Without it, the previous secret stops working immediately. */
            overlap?: string;
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
            /** @description The previous secret, while a rotation with an overlap still accepts it. */
            previous_secret: components["schemas"]["PreviousSecret"] | null;
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
            /** @description The previous secret, while a rotation with an overlap still accepts it. */
            previous_secret: components["schemas"]["PreviousSecret"] | null;
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
            /** @description The hash of an applied revision, or at least its first 7 characters: the plan shows what rolling back to it would change. */
            revision?: string;
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
            kind: "factory" | "agent" | "automation" | "webhook" | "outbound" | "runner" | "skill" | "scorer" | "benchmark";
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
            code: "url_will_change" | "automation_stops_firing" | "trigger_narrowed" | "runner_ignored" | "provider_not_connected" | "grant_widened" | "network_widened" | "network_denies_reached" | "secret_missing" | "secret_unusable" | "secret_weak" | "harness_unknown" | "price_unknown" | "runner_unknown" | "repository_without_forge" | "push_without_app" | "worker_environment_refused" | "secret_redirects_key" | "worker_host_unknown" | "webhook_unknown" | "schedule_unknown" | "deletes_most_webhooks" | "deletes_used_webhook" | "second_factory";
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
            /** @description Only for an automation with a concurrency key or a debounce block under the plan: the deliveries behind its runs, as if the runs took no time. */
            grouped?: {
                /** @description Number of deliveries that fire the automation. */
                deliveries: number;
                /** @description Number of deliveries that become a message to a run that has started. */
                continued: number;
            };
            /** @description The cost of a run of the automation, if it would start another number of runs, all deliveries of the week were replayed, and the cost of its last runs is known. */
            cost?: {
                /** @description The median of the last runs, in US dollars. */
                median: number;
                /** @description The number of these runs, at most 50. */
                runs: number;
            };
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
        Notification: {
            id: string;
            /** @enum {string} */
            event: "run.blocked" | "run.failed" | "factory.failed" | "webhook.refusing" | "budget.reached" | "test";
            /** @description The id of the target. */
            target: string;
            /** @description The name of the target; null if it is no longer configured. */
            target_name: string | null;
            /**
             * @description waiting: not yet sent, or sent again later. failed: given up. dropped: the target is no longer configured.
             * @enum {string}
             */
            state: "waiting" | "sent" | "failed" | "dropped";
            summary: string;
            /** @description The page in the dashboard that the notification links to. */
            url: string;
            factory: string | null;
            factory_uid: string | null;
            run_id: string | null;
            attempts: number;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The time of the next attempt, while it is waiting.
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
        };
        NotificationList: {
            notifications: components["schemas"]["Notification"][];
            page_info: components["schemas"]["PageInfo"];
        };
        NotificationTarget: {
            id: string;
            name: string;
            /** @enum {string} */
            kind: "webhook" | "slack" | "email";
            /** @description The origin of the URL without its path, which may contain a secret; or the recipients of emails. */
            address: string;
            /** @description The factory whose definition contains the target; null for targets of the settings. */
            factory: string | null;
            factory_uid: string | null;
            events: ("run.blocked" | "run.failed" | "factory.failed" | "webhook.refusing" | "budget.reached")[];
            /**
             * @description failing: the last attempt failed, and the target is retried later. stopped: the receiver responded with 410, and gets no more notifications until the target changes or a test succeeds.
             * @enum {string}
             */
            state: "ready" | "failing" | "stopped";
            /** @description The number of notifications that wait to be sent. */
            waiting: number;
            /**
             * Format: date-time
             * @description The time of the next attempt of a failing target.
             */
            next_attempt_at: string | null;
            /** @enum {string|null} */
            last_state: "waiting" | "sent" | "failed" | "dropped" | null;
            /**
             * Format: date-time
             * @description The time of the last notification.
             */
            last_at: string | null;
            last_error: string | null;
        };
        NotificationTargetList: {
            notification_targets: components["schemas"]["NotificationTarget"][];
            page_info: components["schemas"]["PageInfo"];
        };
        Outbound: {
            name: string;
            /** @description The path of its file; null for outbound webhooks of the settings. */
            path: string | null;
            factory: string | null;
            factory_uid: string | null;
            /** @description The origin of the URL without its path, which may contain a secret. */
            origin: string;
            /** @description The secret that requests are signed with. */
            secret_name: string | null;
            events: ("run.created" | "run.started" | "run.blocked" | "run.ended" | "delivery.refused" | "definition.applied" | "definition.failed" | "definition.drifted" | "task.moved" | "budget.reached")[];
            /** @description The payload filter, if it has one. */
            filter?: Record<string, unknown>;
            /** @description The factories whose events are sent, if the settings list them. */
            factories?: string[];
            enabled: boolean;
            ordered: boolean;
            /**
             * @description failing: the last attempt failed. open: its circuit breaker is open, so everything waits until next_attempt_at. stopped: the receiver responded with 410, and gets nothing more until the URL or the secret name changes, the value of its secret is set, or a test or redelivery succeeds.
             * @enum {string}
             */
            state: "ready" | "failing" | "open" | "stopped" | "disabled";
            /** @description The number of deliveries that wait to be sent. */
            waiting: number;
            /** @description The number of failed attempts since the last successful one. */
            failures: number;
            /**
             * Format: date-time
             * @description The time of the next attempt, while the circuit breaker is open.
             */
            next_attempt_at: string | null;
            /** @enum {string|null} */
            last_state: "waiting" | "sent" | "failed" | "dropped" | null;
            /** Format: date-time */
            last_at: string | null;
            last_error: string | null;
        };
        OutboundList: {
            outbound: components["schemas"]["Outbound"][];
            page_info: components["schemas"]["PageInfo"];
        };
        OutboundDelivery: {
            id: string;
            /** @description The value of the webhook-id header, which is the same for every attempt and redelivery. */
            webhook_id: string;
            /** @enum {string} */
            event: "run.created" | "run.started" | "run.blocked" | "run.ended" | "delivery.refused" | "definition.applied" | "definition.failed" | "definition.drifted" | "task.moved" | "budget.reached" | "test";
            /**
             * @description waiting: not yet sent, or retried later. failed: given up. dropped: the outbound webhook no longer exists.
             * @enum {string}
             */
            state: "waiting" | "sent" | "failed" | "dropped";
            factory_uid: string | null;
            run_id: string | null;
            attempts: number;
            last_error: string | null;
            /** @description The receiver's last response. */
            response: {
                status: number;
                /** @description At most the first 1,024 bytes, without control characters. */
                body: string;
                /** Format: date-time */
                at: string;
                duration_ms: number;
            } | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The time of the last request to redeliver it.
             */
            redelivered_at: string | null;
            /**
             * Format: date-time
             * @description The time of the next attempt, while it is waiting.
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
        };
        OutboundDeliveryWithBody: {
            id: string;
            /** @description The value of the webhook-id header, which is the same for every attempt and redelivery. */
            webhook_id: string;
            /** @enum {string} */
            event: "run.created" | "run.started" | "run.blocked" | "run.ended" | "delivery.refused" | "definition.applied" | "definition.failed" | "definition.drifted" | "task.moved" | "budget.reached" | "test";
            /**
             * @description waiting: not yet sent, or retried later. failed: given up. dropped: the outbound webhook no longer exists.
             * @enum {string}
             */
            state: "waiting" | "sent" | "failed" | "dropped";
            factory_uid: string | null;
            run_id: string | null;
            attempts: number;
            last_error: string | null;
            /** @description The receiver's last response. */
            response: {
                status: number;
                /** @description At most the first 1,024 bytes, without control characters. */
                body: string;
                /** Format: date-time */
                at: string;
                duration_ms: number;
            } | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description The time of the last request to redeliver it.
             */
            redelivered_at: string | null;
            /**
             * Format: date-time
             * @description The time of the next attempt, while it is waiting.
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description The body that is posted: type, timestamp, factory, details and data, which is the resource. */
            body: Record<string, unknown>;
        };
        OutboundDeliveryList: {
            deliveries: components["schemas"]["OutboundDelivery"][];
            page_info: components["schemas"]["PageInfo"];
        };
        OutboundQuestion: {
            /** @enum {string} */
            event: "run.created" | "run.started" | "run.blocked" | "run.ended" | "delivery.refused" | "definition.applied" | "definition.failed" | "definition.drifted" | "task.moved" | "budget.reached";
            /** @description What the event is about: the id of a run or delivery, the uid of a task, or the uid of the factory, agent or automation that a budget belongs to. For definition events of an outbound webhook of the settings, the name or uid of the factory. Not needed for those of an outbound webhook of a factory. */
            subject?: string;
        };
        OutboundExplanation: {
            /** @description Whether such an event would be sent, immediately or after a wait. */
            sends: boolean;
            /** @description Why it would not be sent, or would have to wait. */
            reason: string | null;
            /** @description Every condition of the filter. */
            checks: components["schemas"]["FilterCheck"][];
            /** @description The body that is posted: type, timestamp, factory, details and data, which is the resource. */
            body: Record<string, unknown>;
        };
        OutboundSecret: {
            secret_name: string;
            /** @description The signing secret. It is not shown again. */
            secret: string;
        };
        Worker: {
            id: string;
            /** @description Workers with the same name form a pool. */
            name: string;
            /**
             * @description draining: connected, but gets no new turns. offline: no process is connected with the worker's token.
             * @enum {string}
             */
            state: "connected" | "draining" | "offline";
            /** @description The labels that count: those that the worker was created with; if it has none, those that the process reports. */
            labels: string[];
            /** @description The version of millrace. */
            version: string | null;
            platform: components["schemas"]["WorkerPlatform"] | null;
            shape: components["schemas"]["WorkerShape"] | null;
            /** @description How agents are isolated, such as bwrap or container. */
            sandbox: string | null;
            /** @description The labels that the worker was created with. If there are any, reported labels are ignored. */
            granted_labels: string[];
            /** @description UIDs of the factories whose runs the worker may execute; null for every run. */
            factories: string[] | null;
            /** @description The first characters of the token, to identify it. */
            prefix: string;
            created_by: components["schemas"]["RunCreatorInfo"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            draining_since: string | null;
            /**
             * Format: date-time
             * @description When the first of the connected processes has connected; null if none is connected.
             */
            connected_at: string | null;
            /**
             * Format: date-time
             * @description The last contact; null if no process ever connected.
             */
            last_seen_at: string | null;
            /** @description The maximum number of turns that the connected processes execute at the same time. */
            concurrency: number;
            /** @description How many turns they execute. */
            executing: number;
            /** @description The runs whose turns the worker has at the moment, the oldest first; at most 100. */
            runs: components["schemas"]["WorkerRun"][];
            /** @description The processes that are connected with the worker's token. version, platform, shape and sandbox of the worker are those of the process that was seen last. */
            processes: components["schemas"]["WorkerProcess"][];
        };
        WorkerProcess: {
            uid: string;
            /** @description The labels that count: those that the worker was created with; if it has none, those that the process reports. */
            labels: string[];
            /** @description The version of millrace. */
            version: string | null;
            platform: components["schemas"]["WorkerPlatform"] | null;
            shape: components["schemas"]["WorkerShape"] | null;
            /** @description How agents are isolated, such as bwrap or container. */
            sandbox: string | null;
            concurrency: number;
            executing: number;
            /** Format: date-time */
            connected_at: string;
            /** Format: date-time */
            last_seen_at: string;
        };
        WorkerRun: {
            run_id: string;
            title: string;
            /** @description The uid of the process that has the turn. */
            process: string;
        };
        /** @description The operating system and the processor architecture. */
        WorkerPlatform: {
            os: string;
            arch: string;
        };
        /** @description The processors and the memory of the machine. */
        WorkerShape: {
            vcpus: number;
            memory_gb: number;
        };
        WorkerList: {
            workers: components["schemas"]["Worker"][];
            page_info: components["schemas"]["PageInfo"];
        };
        NewWorker: {
            /** @description 1 to 63 letters, digits, dots, underscores and hyphens. The workerHost of a definition or a request refers to it. The names warp, local and millrace refer to the server itself. */
            name: string;
            /** @description Up to 32 labels of 1 to 63 lower-case letters, digits, dots, underscores and hyphens. If there are any, the labels that processes report are ignored: a worker whose token is stolen cannot get the runs of other labels. */
            labels?: string[];
            /** @description Names or UIDs of the factories whose runs the worker may execute; omitted or null for every run. */
            factories?: string[] | null;
        };
        CreatedWorker: {
            id: string;
            /** @description Workers with the same name form a pool. */
            name: string;
            /**
             * @description draining: connected, but gets no new turns. offline: no process is connected with the worker's token.
             * @enum {string}
             */
            state: "connected" | "draining" | "offline";
            /** @description The labels that count: those that the worker was created with; if it has none, those that the process reports. */
            labels: string[];
            /** @description The version of millrace. */
            version: string | null;
            platform: components["schemas"]["WorkerPlatform"] | null;
            shape: components["schemas"]["WorkerShape"] | null;
            /** @description How agents are isolated, such as bwrap or container. */
            sandbox: string | null;
            /** @description The labels that the worker was created with. If there are any, reported labels are ignored. */
            granted_labels: string[];
            /** @description UIDs of the factories whose runs the worker may execute; null for every run. */
            factories: string[] | null;
            /** @description The first characters of the token, to identify it. */
            prefix: string;
            created_by: components["schemas"]["RunCreatorInfo"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            draining_since: string | null;
            /**
             * Format: date-time
             * @description When the first of the connected processes has connected; null if none is connected.
             */
            connected_at: string | null;
            /**
             * Format: date-time
             * @description The last contact; null if no process ever connected.
             */
            last_seen_at: string | null;
            /** @description The maximum number of turns that the connected processes execute at the same time. */
            concurrency: number;
            /** @description How many turns they execute. */
            executing: number;
            /** @description The runs whose turns the worker has at the moment, the oldest first; at most 100. */
            runs: components["schemas"]["WorkerRun"][];
            /** @description The processes that are connected with the worker's token. version, platform, shape and sandbox of the worker are those of the process that was seen last. */
            processes: components["schemas"]["WorkerProcess"][];
            /** @description The token with which `millrace worker` connects, shown only once. */
            token: string;
        };
        ConnectedWorkerList: {
            workers: components["schemas"]["ConnectedWorker"][];
        };
        ConnectedWorker: {
            /** @description The name of a worker or of a pool. */
            worker_host: string;
            /** @description How many processes are connected under this name. */
            connection_count: number;
            /**
             * Format: date-time
             * @description When the first of them has connected.
             */
            connected_at: string;
            /** Format: date-time */
            last_seen_at: string;
        };
        /** @description The totals, and the counts of each combination of demands. */
        WorkerDemand: {
            /** @description Queued runs, including those that a pause or a limit holds. */
            waiting: number;
            /** @description Runs that a worker or the server executes. */
            executing: number;
            /** @description How long the oldest of the waiting runs has been waiting; 0 if no run waits. */
            oldest_waiting_seconds: number;
            demands: components["schemas"]["WorkerDemandItem"][];
        };
        WorkerDemandItem: {
            /** @description The name of a worker or a pool, or labels:a,b; local for runs that name no worker. */
            worker_host: string;
            /** @description The operating system that the runner of the runs asks for. */
            os?: string;
            /** @description The processor architecture that the runner asks for. */
            arch?: string;
            /** @description The number of vCPUs that the runner asks for. */
            vcpus?: number;
            /** @description The memory that the runner asks for. */
            memory_gb?: number;
            /** @description Queued runs, including those that a pause or a limit holds. */
            waiting: number;
            /** @description Runs that a worker or the server executes. */
            executing: number;
            /** @description How long the oldest of the waiting runs has been waiting; 0 if no run waits. */
            oldest_waiting_seconds: number;
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
            /** @description What uses the secret, limited to what the API key can access. For a factory, the active definition counts. */
            used_by: components["schemas"]["SecretUser"][];
        };
        SecretUser: {
            /**
             * @description factory: granted to every run of the factory; source: a credential of the factory's repository; settings: the settings of the server.
             * @enum {string}
             */
            kind: "factory" | "webhook" | "automation" | "agent" | "runner" | "notification" | "outbound" | "source" | "environment" | "settings";
            name: string;
            /** @description Null for what does not belong to a factory. */
            factory: string | null;
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
            /** @description The factory that the call names in its path or body, or the factory of the run whose token was used. */
            factory_uid?: string;
            /** @description The operationId of the call; `mcp` for a request for tools with the token of a turn that has ended. */
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
            /** @description What the operator should complete, for example a harness for active agents that have none; empty if nothing is missing. */
            server_notices: string[];
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
        Server: {
            /** @description The UID of the server's data folder. It is the same after a restart. */
            uid: string;
            /** @description The host name of the machine. */
            name: string;
            version: string;
            /**
             * @description away: the server has not been seen for 15 seconds. It is removed from the list after a day, and a server that is stopped is removed immediately.
             * @enum {string}
             */
            status: "connected" | "away";
            /** @description Whether the server polls repositories, fires schedules and deletes old data. */
            is_leader: boolean;
            /** @description Whether it is the server that responds. */
            is_this: boolean;
            /** @description How many runs the server executes itself. Runs on workers are not included. */
            executing: number;
            /** @description The maximum number of these runs. It is 0 if only workers execute runs. */
            concurrency: number;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            last_seen_at: string;
        };
        ServerList: {
            servers: components["schemas"]["Server"][];
            page_info: components["schemas"]["PageInfo"];
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
        /** @description The activity of one hour, from the given time. */
        ActivityHour: {
            /** Format: date-time */
            at: string;
            accepted: number;
            duplicates: number;
            rejected: number;
            /** @description Runs created in that time. */
            runs: number;
            /** @description Runs created in that time that have since ended in the state FAILED or ERROR. */
            runs_failed: number;
            /** @description Deliveries that were refused with 429 and without a record, because they exceeded a budget of their webhook. Counted by the hour, for 31 days. */
            over_budget: number;
            /** @description Deliveries that were refused with 429 and without a record, because their address had failed to authenticate too often. Counted by the hour, for 31 days. */
            blocked: number;
        };
        Activity: {
            /** @description Oldest first. */
            hours: components["schemas"]["ActivityHour"][];
        };
        ActivityCounts: {
            accepted: number;
            duplicates: number;
            rejected: number;
            /** @description Runs created in that time. */
            runs: number;
            /** @description Runs created in that time that have since ended in the state FAILED or ERROR. */
            runs_failed: number;
            /** @description Deliveries that were refused with 429 and without a record, because they exceeded a budget of their webhook. Counted by the hour, for 31 days. */
            over_budget: number;
            /** @description Deliveries that were refused with 429 and without a record, because their address had failed to authenticate too often. Counted by the hour, for 31 days. */
            blocked: number;
            /** @description Runs created in that time that have since succeeded. */
            runs_succeeded: number;
            /** @description Runs created in that time that have since been cancelled. */
            runs_cancelled: number;
        };
        /** @description The activity of a minute, an hour or a day, from the given time. */
        ActivityBucket: {
            /** Format: date-time */
            at: string;
            accepted: number;
            duplicates: number;
            rejected: number;
            /** @description Runs created in that time. */
            runs: number;
            /** @description Runs created in that time that have since ended in the state FAILED or ERROR. */
            runs_failed: number;
            /** @description Deliveries that were refused with 429 and without a record, because they exceeded a budget of their webhook. Counted by the hour, for 31 days. */
            over_budget: number;
            /** @description Deliveries that were refused with 429 and without a record, because their address had failed to authenticate too often. Counted by the hour, for 31 days. */
            blocked: number;
            /** @description Runs created in that time that have since succeeded. */
            runs_succeeded: number;
            /** @description Runs created in that time that have since been cancelled. */
            runs_cancelled: number;
        };
        ActivityHistory: {
            /** @description The length of each bucket. */
            bucket_seconds: number;
            /** @description Oldest first. The last bucket contains the current time. */
            buckets: components["schemas"]["ActivityBucket"][];
        };
        FactoryActivity: {
            uid: string;
            /** @description The name of the factory. */
            factory: string;
            /** @description Queued runs. */
            runs_waiting: number;
            /** @description Runs that have been claimed or whose agent is working. */
            runs_in_progress: number;
            /** @description Runs that wait for other runs. They have no agent, and are not counted as in progress. */
            runs_waiting_for_runs: number;
            /** @description Runs that wait for a person. */
            runs_blocked: number;
            last_24_hours: components["schemas"]["ActivityCounts"];
        };
        FactoryActivityList: {
            factories: components["schemas"]["FactoryActivity"][];
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
            /** @description Whether the last 20 deliveries arrived within an hour and all of them were rejected. */
            refuses_all: boolean;
            /** @description The deliveries of the last 24 hours that were refused with 429 and without a record. */
            dropped: {
                /** @description Deliveries beyond a budget of the webhook. */
                over_budget: number;
                /** @description Deliveries from addresses that had failed to authenticate too often. */
                blocked: number;
            };
            last_run?: components["schemas"]["LastRun"];
            ended_runs?: components["schemas"]["EndedRuns"];
            success_rate?: components["schemas"]["SuccessRate"];
            hours?: {
                /** @description Accepted deliveries. One number for each of 24 hours, oldest first. */
                accepted: number[];
                /** @description Duplicates. One number for each of 24 hours, oldest first. */
                duplicates: number[];
                /** @description Rejected deliveries. One number for each of 24 hours, oldest first. */
                rejected: number[];
            };
        };
        WebhookActivityList: {
            /**
             * Format: date-time
             * @description The start of the first of the 24 hours. The last one is the current hour.
             */
            since: string;
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
        /** @description The run that was created last; null if there is none. */
        LastRun: {
            run_id: string;
            title: string;
            state: components["schemas"]["RunState"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /** @description The delivery that started the run. */
            delivery_id: string | null;
            /** @description The webhook that received the delivery. */
            webhook_uid: string | null;
            /** @description The pull request that the run reported last. */
            pull_request_url: string | null;
        } | null;
        /** @description How the last 50 ended runs ended. FAILED and ERROR count as failed. */
        EndedRuns: {
            succeeded: number;
            failed: number;
            cancelled: number;
        };
        /** @description The share of these runs that succeeded, without cancelled runs; null if there are none. */
        SuccessRate: number | null;
        RunSummary: {
            last_run: components["schemas"]["LastRun"];
            ended_runs: components["schemas"]["EndedRuns"];
            success_rate: components["schemas"]["SuccessRate"];
        };
        AutomationActivity: {
            uid: string;
            name: string;
            factory: string;
            factory_uid: string;
            enabled: boolean;
            /** @description The schedules in the automation's file. */
            schedules: {
                /** @description Null if it follows schedules created through the API. */
                cron: string | null;
                name: string | null;
            }[];
            /**
             * @description Whether a schedule whose time passed while the server was down is skipped or fires once.
             * @enum {string}
             */
            missed: "skip" | "once";
            /** @description The time zone of the cron expressions. */
            timezone: string;
            /**
             * Format: date-time
             * @description When a schedule of the automation fires next; null if it has none, or while the automation is disabled or paused, or its factory is suspended.
             */
            next_fire_at: string | null;
            last_run: components["schemas"]["LastRun"];
            ended_runs: components["schemas"]["EndedRuns"];
            success_rate: components["schemas"]["SuccessRate"];
            /** @description The runs created in each hour. One number for each of 24 hours, oldest first. */
            runs: number[];
            /** @description Those of them that have since ended in the state FAILED or ERROR. One number for each of 24 hours, oldest first. */
            runs_failed: number[];
            /** @description The events of the factory in this time that did not start the automation, because it would have exceeded a limit on runs that start each other. */
            starts_refused: number;
        };
        AutomationActivityList: {
            /**
             * Format: date-time
             * @description The start of the first of the 24 hours. The last one is the current hour.
             */
            since: string;
            automations: components["schemas"]["AutomationActivity"][];
        };
        AgentActivity: {
            uid: string;
            name: string;
            /** @description Null for an agent without a factory. */
            factory: string | null;
            factory_uid: string | null;
            last_run: components["schemas"]["LastRun"];
            ended_runs: components["schemas"]["EndedRuns"];
            success_rate: components["schemas"]["SuccessRate"];
            /** @description The number of runs that the agent has executed, counted up to 10000. */
            runs: number;
            /** @description Whether there are more runs than that. */
            has_more_runs: boolean;
        };
        AgentActivityList: {
            agents: components["schemas"]["AgentActivity"][];
        };
        UsageRow: {
            /** @description The group: factory/automation, factory/agent, the name of a factory, a model, or a date in UTC. (none) stands for runs that have no such thing. The UID is used for what no longer has a name. */
            key: string;
            /** @description The UID of the automation, the agent or the factory. */
            uid: string | null;
            /** @description The name of the factory of an automation or an agent. */
            factory: string | null;
            /** @description Runs that used something in the period, each counted once. */
            runs: number;
            /** @description Those of them whose harness reported no tokens: what they used is unknown. */
            runs_without_usage: number;
            /** @description All input tokens, including those read from a cache. */
            input_tokens: number;
            output_tokens: number;
            /** @description The input tokens that were read from a cache. */
            cached_tokens: number;
            /** @description The known cost in US dollars: what harnesses report, and otherwise the tokens times the price of their model. null if no cost is known. */
            cost_usd: number | null;
            /** @description Input and output tokens whose cost is unknown, and therefore not part of cost_usd. */
            unpriced_tokens: number;
            /** @description How long agents were running, in turns that ended in the period. null if groups are models, because turns are not divided by model. */
            work_seconds: number | null;
            /** @description The CPU time of these agents; null if it was not measured. */
            cpu_seconds: number | null;
            /** @description The highest peak memory of one of these agents; null if it was not measured. */
            peak_memory_bytes: number | null;
        };
        UsageReport: {
            /** @description Days from the oldest to the newest; other groups from the highest to the lowest cost. At most 1,000. */
            usage: components["schemas"]["UsageRow"][];
            /**
             * Format: date-time
             * @description The beginning of the period.
             */
            since: string;
            /**
             * Format: date-time
             * @description The end of the period.
             */
            until: string;
        };
        RunSpend: {
            /**
             * Format: uuid
             * @description A random ID if the run has been deleted.
             */
            run_id: string;
            /** @description null if the run has been deleted. */
            title: string | null;
            state: components["schemas"]["RunState"] | null;
            /** Format: date-time */
            created_at: string | null;
            /** @description The name of its factory. */
            factory: string | null;
            /** @description The name of its automation. */
            automation: string | null;
            /** @description The name of its agent. */
            agent: string | null;
            /** @description All input tokens, including those read from a cache. */
            input_tokens: number;
            output_tokens: number;
            /** @description The input tokens that were read from a cache. */
            cached_tokens: number;
            /** @description The known cost in US dollars: what harnesses report, and otherwise the tokens times the price of their model. null if no cost is known. */
            cost_usd: number | null;
            /** @description Input and output tokens whose cost is unknown, and therefore not part of cost_usd. */
            unpriced_tokens: number;
        };
        RunSpendList: {
            /** @description The costliest first. */
            runs: components["schemas"]["RunSpend"][];
            /**
             * Format: date-time
             * @description The beginning of the period.
             */
            since: string;
            /**
             * Format: date-time
             * @description The end of the period.
             */
            until: string;
        };
        FactoryMetrics: {
            /** @description Runs that were created. */
            run_count: number;
            /** @description Pull requests that a run reported for the first time. */
            pr_count: number;
            /** @description Of the pull requests that were opened, the number that have been merged since. */
            merged_pr_count: number;
            /** @description The mean of human_interactions.total over the pull requests of pr_count; null if there is none. */
            average_human_interactions_per_pr: number | null;
            /**
             * Format: date-time
             * @description The time as of which the data is current.
             */
            as_of: string;
            /** @description Always empty: a server has no teams. */
            team_uid: string;
            factory_uid: string;
            autonomy_funnel: {
                /** @description All pull requests of these repositories that were merged. */
                total_merged: number;
                /** @description The merged pull requests that runs of the factory reported. */
                factory_merged: number;
                /** @description The number of factory_merged whose history is complete. */
                factory_merged_observed: number;
                /** @description The number of factory_merged_observed to which no person pushed code. */
                merged_without_human_code_change: number;
                /** @description The repositories that the deliveries of pull requests to this factory name. */
                repos: string[];
                /** @description The same figures for each period of period_list, if group_by_period is set. */
                series?: {
                    /** @description All pull requests of these repositories that were merged. */
                    total_merged: number;
                    /** @description The merged pull requests that runs of the factory reported. */
                    factory_merged: number;
                    /** @description The number of factory_merged whose history is complete. */
                    factory_merged_observed: number;
                    /** @description The number of factory_merged_observed to which no person pushed code. */
                    merged_without_human_code_change: number;
                }[];
            };
            impact: {
                additions: number;
                deletions: number;
                merged_pr_count: number;
                /** @description The pull requests whose size is known. */
                measured_pr_count: number;
                /** @description The same figures for each period of period_list, if group_by_period is set. */
                series?: {
                    additions: number;
                    deletions: number;
                    merged_pr_count: number;
                    /** @description The pull requests whose size is known. */
                    measured_pr_count: number;
                }[];
            };
            pr_latency: {
                merged_pr_count: number;
                kickoff_to_pr: components["schemas"]["CycleStage"];
                pr_to_first_review: components["schemas"]["CycleStage"];
                first_review_to_merge: components["schemas"]["CycleStage"];
                kickoff_to_merge: components["schemas"]["CycleStage"];
                /** @description The same figures for each period of period_list, if group_by_period is set. */
                series?: {
                    merged_pr_count: number;
                    kickoff_to_pr: components["schemas"]["CycleStage"];
                    pr_to_first_review: components["schemas"]["CycleStage"];
                    first_review_to_merge: components["schemas"]["CycleStage"];
                    kickoff_to_merge: components["schemas"]["CycleStage"];
                }[];
            };
            /** @description The same figures for each period of period_list, if group_by_period is set. */
            series?: {
                /** @description Runs that were created. */
                run_count: number;
                /** @description Pull requests that a run reported for the first time. */
                pr_count: number;
                /** @description Of the pull requests that were opened, the number that have been merged since. */
                merged_pr_count: number;
                /** @description The mean of human_interactions.total over the pull requests of pr_count; null if there is none. */
                average_human_interactions_per_pr: number | null;
            }[];
            /** @description The first day of each period, if group_by_period is set. */
            period_list?: string[];
        };
        CycleStage: {
            /** @description null if no pull request was measured. */
            median_seconds: number | null;
            /** @description The pull requests of which both ends of the stage are known. */
            measured_pr_count: number;
        };
        RunGroupCount: {
            total: number;
            key: string;
            label: string | null;
            /** @description The same figures for each period of period_list, if group_by_period is set. */
            series?: {
                total: number;
            }[];
        };
        RunBreakdown: {
            /** @description The runs that are counted. */
            total: number;
            /** @description The runs that no other run has started. */
            root_run_count: number;
            /**
             * Format: date-time
             * @description The time as of which the data is current.
             */
            as_of: string;
            /** @description Always empty: a server has no teams. */
            team_uid: string;
            factory_uid: string;
            /** @description The largest first, at most 1,000. */
            groups: components["schemas"]["RunGroupCount"][];
            /** @description The same figures for each period of period_list, if group_by_period is set. */
            series?: {
                /** @description The runs that are counted. */
                total: number;
                /** @description The runs that no other run has started. */
                root_run_count: number;
            }[];
            /** @description The first day of each period, if group_by_period is set. */
            period_list?: string[];
        };
        Dollars: {
            /** @description What models cost, as far as it is known. */
            inference: number;
            /** @description Always 0: the machines are your own. */
            compute: number;
            /** @description Always 0. */
            platform: number;
            total: number;
            /** @description Tokens whose cost is not known. If this is not 0, the real cost is higher. */
            unpriced_tokens: number;
            /** @description The same figures for each period of period_list, if group_by_period is set. */
            series?: {
                /** @description What models cost, as far as it is known. */
                inference: number;
                /** @description Always 0: the machines are your own. */
                compute: number;
                /** @description Always 0. */
                platform: number;
                total: number;
                /** @description Tokens whose cost is not known. If this is not 0, the real cost is higher. */
                unpriced_tokens: number;
            }[];
        };
        CostGroup: {
            key: string;
            label: string | null;
            /** @description Whether the user or the agent has been removed since. */
            deleted: boolean;
            photo_url: null;
            dollars: components["schemas"]["Dollars"];
        };
        CostBreakdown: {
            /**
             * Format: date-time
             * @description The time as of which the data is current.
             */
            as_of: string;
            /** @description Always empty: a server has no teams. */
            team_uid: string;
            factory_uid: string;
            total: components["schemas"]["Dollars"];
            /** @description The costliest first, at most 1,000. */
            groups: components["schemas"]["CostGroup"][];
            /** @description The first day of each period, if group_by_period is set. */
            period_list?: string[];
        };
        PrCosts: {
            /** @description Pull requests that a run reported for the first time. */
            pr_count: number;
            dollars: {
                /** @description What models cost, as far as it is known. */
                inference: number;
                /** @description Always 0: the machines are your own. */
                compute: number;
                /** @description Always 0. */
                platform: number;
                total: number;
                /** @description Tokens whose cost is not known. If this is not 0, the real cost is higher. */
                unpriced_tokens: number;
            };
            /** @description The mean cost of a pull request; null if there is none. */
            mean: number | null;
            /**
             * Format: date-time
             * @description The time as of which the data is current.
             */
            as_of: string;
            /** @description Always empty: a server has no teams. */
            team_uid: string;
            factory_uid: string;
            /** @description The same figures for each period of period_list, if group_by_period is set. */
            series?: {
                /** @description Pull requests that a run reported for the first time. */
                pr_count: number;
                dollars: {
                    /** @description What models cost, as far as it is known. */
                    inference: number;
                    /** @description Always 0: the machines are your own. */
                    compute: number;
                    /** @description Always 0. */
                    platform: number;
                    total: number;
                    /** @description Tokens whose cost is not known. If this is not 0, the real cost is higher. */
                    unpriced_tokens: number;
                };
                /** @description The mean cost of a pull request; null if there is none. */
                mean: number | null;
                /** @description The mean cost of a pull request; null if there is none. */
                inference_mean: number | null;
                /** @description The mean cost of a pull request; null if there is none. */
                compute_mean: number | null;
                /** @description The mean cost of a pull request; null if there is none. */
                platform_mean: number | null;
            }[];
            /** @description The first day of each period, if group_by_period is set. */
            period_list?: string[];
        };
        PrSizeCost: {
            pr_count: number;
            /** @description The mean cost of a pull request; null if there is none. */
            mean: number | null;
            /** @enum {string} */
            size: "S" | "M" | "L" | "XL";
            /** @description The same figures for each period of period_list, if group_by_period is set. */
            series?: {
                pr_count: number;
                /** @description The mean cost of a pull request; null if there is none. */
                mean: number | null;
            }[];
        };
        PrCostsBySize: {
            pr_count: number;
            /** @description The pull requests whose size is known. */
            sized_pr_count: number;
            /**
             * Format: date-time
             * @description The time as of which the data is current.
             */
            as_of: string;
            /** @description Always empty: a server has no teams. */
            team_uid: string;
            factory_uid: string;
            buckets: components["schemas"]["PrSizeCost"][];
            /** @description The same figures for each period of period_list, if group_by_period is set. */
            series?: {
                pr_count: number;
                /** @description The pull requests whose size is known. */
                sized_pr_count: number;
            }[];
            /** @description The first day of each period, if group_by_period is set. */
            period_list?: string[];
        };
        PullRequest: {
            /** @enum {string|null} */
            provider: "github" | "gitlab" | null;
            repo_full_name: string | null;
            pr_number: number | null;
            url: string;
            title: string | null;
            author_login: string | null;
            factory_uid: string;
            /** @description Always empty: a server has no teams. */
            team_uid: string;
            /**
             * @description null if no delivery of its forge names the pull request.
             * @enum {string|null}
             */
            state: "open" | "draft" | "merged" | "closed" | null;
            /** Format: date-time */
            opened_at: string | null;
            /** Format: date-time */
            first_human_review_at: string | null;
            /** Format: date-time */
            merged_at: string | null;
            /** Format: date-time */
            closed_at: string | null;
            /** Format: date-time */
            updated_at: string;
            additions: number | null;
            deletions: number | null;
            changed_files: number | null;
            num_commits: number | null;
            human_interactions: {
                opened: number;
                code_push: number;
                review_approved: number;
                review_changes_requested: number;
                review_commented: number;
                comment: number;
                review_comment: number;
                pr_action: number;
                /** @description Messages that people sent to the runs. */
                follow_up_message: number;
                total: number;
            };
            /** @description Whether a person is known to have opened the pull request, or to have pushed to it. */
            human_code_change: boolean;
            /** @description Whether the factory received the delivery of its opening. */
            history_complete: boolean;
            /** @description The runs that reported it, the oldest first. */
            runs: {
                run_id: string;
                root_run_id: string;
                /** Format: date-time */
                created_at: string;
            }[];
            /**
             * Format: date-time
             * @description When the first of these runs was created.
             */
            kickoff_at: string;
            cycle_time: {
                /** @description In seconds; null if one of the two ends is unknown, or the end came first. */
                kickoff_to_pr: number | null;
                /** @description In seconds; null if one of the two ends is unknown, or the end came first. */
                pr_to_first_review: number | null;
                /** @description In seconds; null if one of the two ends is unknown, or the end came first. */
                first_review_to_merge: number | null;
                /** @description In seconds; null if one of the two ends is unknown, or the end came first. */
                kickoff_to_merge: number | null;
            };
        };
        PullRequestList: {
            /**
             * Format: date-time
             * @description The time as of which the data is current.
             */
            as_of: string;
            /** @description Always empty: a server has no teams. */
            team_uid: string;
            factory_uid: string;
            /** @description The last reported first. */
            data: components["schemas"]["PullRequest"][];
            page_info: components["schemas"]["PageInfo"];
        };
        CostlyPullRequest: {
            /** @enum {string|null} */
            provider: "github" | "gitlab" | null;
            repo_full_name: string | null;
            pr_number: number | null;
            url: string;
            title: string | null;
            author_login: string | null;
            factory_uid: string;
            /** @description Always empty: a server has no teams. */
            team_uid: string;
            /**
             * @description null if no delivery of its forge names the pull request.
             * @enum {string|null}
             */
            state: "open" | "draft" | "merged" | "closed" | null;
            /** Format: date-time */
            opened_at: string | null;
            /** Format: date-time */
            first_human_review_at: string | null;
            /** Format: date-time */
            merged_at: string | null;
            /** Format: date-time */
            closed_at: string | null;
            /** Format: date-time */
            updated_at: string;
            additions: number | null;
            deletions: number | null;
            changed_files: number | null;
            num_commits: number | null;
            human_interactions: {
                opened: number;
                code_push: number;
                review_approved: number;
                review_changes_requested: number;
                review_commented: number;
                comment: number;
                review_comment: number;
                pr_action: number;
                /** @description Messages that people sent to the runs. */
                follow_up_message: number;
                total: number;
            };
            /** @description Whether a person is known to have opened the pull request, or to have pushed to it. */
            human_code_change: boolean;
            /** @description Whether the factory received the delivery of its opening. */
            history_complete: boolean;
            /** @description The runs that reported it, the oldest first. */
            runs: {
                run_id: string;
                root_run_id: string;
                /** Format: date-time */
                created_at: string;
            }[];
            /**
             * Format: date-time
             * @description When the first of these runs was created.
             */
            kickoff_at: string;
            cycle_time: {
                /** @description In seconds; null if one of the two ends is unknown, or the end came first. */
                kickoff_to_pr: number | null;
                /** @description In seconds; null if one of the two ends is unknown, or the end came first. */
                pr_to_first_review: number | null;
                /** @description In seconds; null if one of the two ends is unknown, or the end came first. */
                first_review_to_merge: number | null;
                /** @description In seconds; null if one of the two ends is unknown, or the end came first. */
                kickoff_to_merge: number | null;
            };
            dollars: components["schemas"]["Dollars"];
            /** @description The costliest first, at most 100. */
            models: {
                model_id: string;
                /** @description Its part of dollars.inference. */
                inference: number;
            }[];
            creator: components["schemas"]["RunCreatorInfo"];
            source: string;
            requested_model_id: string | null;
        };
        CostliestPullRequests: {
            /**
             * Format: date-time
             * @description The time as of which the data is current.
             */
            as_of: string;
            /** @description Always empty: a server has no teams. */
            team_uid: string;
            factory_uid: string;
            /** @description The costliest first. */
            data: components["schemas"]["CostlyPullRequest"][];
        };
        PreviousSecret: {
            /**
             * Format: date-time
             * @description When the webhook stops accepting it.
             */
            until: string;
            /**
             * Format: date-time
             * @description When the last delivery arrived that was authenticated with it.
             */
            last_used_at: string | null;
            /** @description Who used it in the last 500 such deliveries, the last one first. At most 20. */
            senders: {
                address: string | null;
                user_agent: string | null;
                deliveries: number;
                /** Format: date-time */
                last_delivery_at: string;
            }[];
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
            /**
             * @description Which secret of the webhook authenticated the delivery: previous during the overlap of a rotation. null for rejected deliveries, redeliveries, and deliveries that an earlier version recorded.
             * @enum {string|null}
             */
            proved_by: "current" | "previous" | null;
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
            /** @description Only in the response to a redelivery: what it did, for each automation that it fired. */
            dispositions?: components["schemas"]["Disposition"][];
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
            /** @description All automations of the factory: first those that would start a run, then those that match most of the conditions. Empty for a delivery without a stored body. */
            automations: components["schemas"]["AutomationExplanation"][];
        };
        AutomationExplanation: {
            name: string;
            enabled: boolean;
            /** @description Whether a pause applies: the run would be created, and would wait until the pause ends. */
            paused: boolean;
            /** @enum {string} */
            result: "Would trigger" | "Would not trigger";
            /** @description Why the automation would not start a run; null if it would. */
            reason: string | null;
            /** @description Only if a run that this delivery created was not started, because a budget with onExhausted: skip was used up: the reason. */
            skipped?: string;
            /** @description What the delivery did when it was accepted; null if it did not fire the automation then. */
            disposition: components["schemas"]["Disposition"] | null;
            /** @description The automation's webhook triggers; a run starts if all checks of any one trigger pass. */
            triggers: {
                checks: components["schemas"]["FilterCheck"][];
            }[];
        };
        Disposition: {
            /**
             * @description started: it created the run. waiting: the run that it created waits for its key or for the end of its window. joined: it became part of a run that waited. replaced: the run that it created replaced others. continued: it became a message to a run.
             * @enum {string}
             */
            kind: "started" | "joined" | "replaced" | "continued" | "waiting";
            /** @description The run that the delivery is part of. */
            run_id: string;
            /** @description The concurrency key; null without one. */
            key: string | null;
            /** @description Why, in a sentence. */
            reason: string;
            /** @description The runs that were replaced. */
            replaced_run_ids: string[];
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
        DeliveryTest: {
            /** @description The path of the file in the definition. */
            path: string;
            /** @description The file. It contains the whole payload, and no header except the value of X-GitHub-Event. */
            content: string;
            /** @description Whether the delivery starts a run of the automation under the active definition. */
            fires: boolean;
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
            /** @description Which limit refuses an agent that starts a run, for example not_granted, depth, children, family or cycle, or that sends a message, for example asks_person or sent_enough. */
            reason?: string;
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
                /** @description Only runs that repeat the run with this id. */
                rerun_of?: string;
                /** @description Only runs with all of these metadata pairs: metadata[key]=value. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Only runs with an artifact of this type. */
                artifact_type?: "PLAN" | "PULL_REQUEST" | "SCREENSHOT" | "FILE" | "EXTERNAL_REFERENCE";
                /** @description Search terms: words of the title, the beginning of the prompt or the skill; or the id or link of a run, or the first 8 or more characters of its id. */
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
                    /** @description For how many seconds changes have been waiting to appear in the list. The header is missing if the list is up to date. */
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
            query?: {
                /** @description Whether to end all runs that descend from the run, too. Runs that wait for an answer are dismissed. */
                tree?: boolean;
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
    getRunTree: {
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
            /** @description The family, oldest run first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunTree"];
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
    getRunNetwork: {
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
            /** @description The hosts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunNetwork"];
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
    listRunSteps: {
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
            /** @description A page of steps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunSteps"];
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
                /** @description Whether the stream also contains the steps that the harness reports. */
                steps?: boolean;
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
            /** @description The output so far, or events: output {text, stream, turn, at} and, on request, step {id, turn, time, type, …}, then end {state}. */
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
    planRunAgain: {
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
            /** @description The run that would be created. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAgainPlan"];
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
    runAgain: {
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
        requestBody?: never;
        responses: {
            /** @description The new run was queued. */
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
    waitForRuns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the run that waits: the run of the token. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WaitRequest"];
            };
        };
        responses: {
            /** @description The results, or that they are not there yet. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitResponse"];
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
    reportAnswer: {
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
                "application/json": components["schemas"]["AnswerReport"];
            };
        };
        responses: {
            /** @description The answer was stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportReceipt"];
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
    reportStatus: {
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
                "application/json": components["schemas"]["StatusReport"];
            };
        };
        responses: {
            /** @description The status line was stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportReceipt"];
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
    reportArtifactFile: {
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
                "application/json": components["schemas"]["ArtifactFileReport"];
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
    getNote: {
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
            /** @description The note. Its ETag is that of the note. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FamilyNote"];
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
    putNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request. If the resource has been modified since then, the response is 412. Without this header, the last write wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the run. */
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FamilyNoteChange"];
            };
        };
        responses: {
            /** @description The note. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FamilyNote"];
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
    getRunDelivery: {
        parameters: {
            query?: {
                /** @description A delivery of the run, or of the run that its family began with; if omitted, the newest one of the run, or of the run that its family began with if the run has none. */
                delivery_id?: string;
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
            /** @description The delivery with its payload. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDelivery"];
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
    listRunAgents: {
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
            /** @description The agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAgents"];
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
    createIdentityToken: {
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
                "application/json": components["schemas"]["IdentityTokenRequest"];
            };
        };
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityToken"];
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
    createIdentityKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["IdentityKeyChange"];
            };
        };
        responses: {
            /** @description The key that signs now. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityKey"];
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
    listRunDeliveries: {
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
            /** @description At most 2,000 deliveries, oldest first. Of a run with more, these are the newest. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDeliveries"];
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
    getConversationById: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the conversation. */
                conversationId: string;
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
                /** @description Whether the stream also contains the steps that the harness reports. */
                steps?: boolean;
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
            /** @description The output so far, or events: output {text, stream, turn, at} and, on request, step {id, turn, time, type, …}, then end {state}. */
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
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models, ordered by id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListModelsResponse"];
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
    listIdentities: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description Only agents of the factory with this UID. */
                factory_uid?: string;
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
    listTasks: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description Only tasks created at or after this time. */
                created_after?: string;
                /** @description Only tasks created before this time. */
                created_before?: string;
                /** @description Only tasks updated at or after this time. */
                updated_after?: string;
                /** @description Only tasks of one of these authors, given by UID or name. */
                created_by?: string[];
                /** @description Only tasks in one of these stages. */
                stage?: components["schemas"]["TaskStage"][];
                /** @description Part of the title; case-insensitive. */
                q?: string;
                /** @description The field to sort by. */
                sort_by?: "created_at" | "updated_at";
                /** @description The sort order: descending or ascending. */
                sort_order?: "asc" | "desc";
                /** @description Whether to include the tickets and the outputs of the tasks. */
                full_list?: boolean;
                /** @description Whether to include the current run of each task. */
                include_current_run?: boolean;
            };
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tasks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskList"];
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
    createTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTaskRequest"];
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
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
    getTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
                /** @description The UID of the task. */
                taskUid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
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
    deleteTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request. If the resource has been modified since then, the response is 412. Without this header, the last write wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
                /** @description The UID of the task. */
                taskUid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task was deleted. */
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
    updateTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the resource, from the response to a GET request. If the resource has been modified since then, the response is 412. Without this header, the last write wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
                /** @description The UID of the task. */
                taskUid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTaskRequest"];
            };
        };
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
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
    cancelTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
                /** @description The UID of the task. */
                taskUid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
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
    listTaskRuns: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
                /** @description The UID of the task. */
                taskUid: string;
            };
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
    getTaskConversation: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
                /** @description The UID of the task. */
                taskUid: string;
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
                    "application/json": components["schemas"]["TaskConversation"];
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
    getTaskByRun: {
        parameters: {
            query: {
                /** @description The id of a run of the task. */
                run_id: string;
            };
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
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
    getTaskByConversation: {
        parameters: {
            query: {
                /** @description The id of the conversation. */
                conversation_id: string;
            };
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
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
                /** @description Retrying a request with the same key and body has no further effect. For one minute, a retry with the same API key or session returns the first response, including the secret. After that, the response is 409. */
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
                /** @description true: only deliveries with a run that failed. false: only deliveries without one. */
                failed?: boolean;
                /** @description Only deliveries of this event, as named by the provider's header or by the payload, for example `issues`. Case is ignored. */
                event?: string;
                /** @description Only deliveries that contain all of these words, in any order: in the payload, the event, the delivery ID, the identity or the reason of a refusal. A word that ends with * matches all words that begin with it. Case and accents are ignored. */
                q?: string;
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
                    /** @description For how many seconds changes have been waiting to appear in the list. The header is missing if the list is up to date. */
                    "Millrace-List-Lag"?: number;
                    /** @description After an upgrade, older deliveries are made searchable in the background. Those received before this time cannot be found with q or event yet. The header is missing if all can be found. */
                    "Millrace-Searchable-From"?: string;
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
            header?: {
                /** @description Retrying a request with the same key and body has no further effect and returns the first response. */
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
            header?: {
                /** @description Retrying a request with the same key and body has no further effect and returns the first response. */
                "Idempotency-Key"?: string;
            };
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
                /** @description Retrying a request with the same key and body has no further effect. For one minute, a retry with the same API key or session returns the first response, including the secret. After that, the response is 409. */
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
    endSecretOverlap: {
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
    listNotifications: {
        parameters: {
            query?: {
                /** @description Only notifications for the target with this id. */
                target?: string;
                /** @description Only notifications in one of these states. */
                state?: ("waiting" | "sent" | "failed" | "dropped")[];
                /** @description Only notifications about one of these events. */
                event?: ("run.blocked" | "run.failed" | "factory.failed" | "webhook.refusing" | "budget.reached" | "test")[];
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
            /** @description A page of notifications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationList"];
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
    getNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the notification. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The notification. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
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
    listNotificationTargets: {
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
            /** @description A page of targets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationTargetList"];
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
    testNotificationTarget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the target. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test notification. Its state is sent or failed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
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
    listOutbound: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name or uid of the factory. */
                factory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of outbound webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutboundList"];
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
    getOutbound: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or uid of the factory. */
                factory: string;
                /** @description The name of the outbound webhook. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outbound webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Outbound"];
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
    listOutboundDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries in one of these states. */
                state?: ("waiting" | "sent" | "failed" | "dropped")[];
                /** @description Only deliveries of one of these events. */
                event?: ("run.created" | "run.started" | "run.blocked" | "run.ended" | "delivery.refused" | "definition.applied" | "definition.failed" | "definition.drifted" | "task.moved" | "budget.reached" | "test")[];
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name or uid of the factory. */
                factory: string;
                /** @description The name of the outbound webhook. */
                name: string;
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
                    "application/json": components["schemas"]["OutboundDeliveryList"];
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
    getOutboundDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or uid of the factory. */
                factory: string;
                /** @description The name of the outbound webhook. */
                name: string;
                /** @description The id of the delivery. */
                id: string;
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
                    "application/json": components["schemas"]["OutboundDeliveryWithBody"];
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
    redeliverOutbound: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or uid of the factory. */
                factory: string;
                /** @description The name of the outbound webhook. */
                name: string;
                /** @description The id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which waits to be sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutboundDelivery"];
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
    testOutbound: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or uid of the factory. */
                factory: string;
                /** @description The name of the outbound webhook. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. Its state is sent or failed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutboundDelivery"];
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
    explainOutbound: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or uid of the factory. */
                factory: string;
                /** @description The name of the outbound webhook. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OutboundQuestion"];
            };
        };
        responses: {
            /** @description What would be sent now, and why. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutboundExplanation"];
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
    listServerOutbound: {
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
            /** @description A page of outbound webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutboundList"];
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
    getServerOutbound: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the outbound webhook. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outbound webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Outbound"];
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
    listServerOutboundDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries in one of these states. */
                state?: ("waiting" | "sent" | "failed" | "dropped")[];
                /** @description Only deliveries of one of these events. */
                event?: ("run.created" | "run.started" | "run.blocked" | "run.ended" | "delivery.refused" | "definition.applied" | "definition.failed" | "definition.drifted" | "task.moved" | "budget.reached" | "test")[];
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name of the outbound webhook. */
                name: string;
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
                    "application/json": components["schemas"]["OutboundDeliveryList"];
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
    getServerOutboundDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the outbound webhook. */
                name: string;
                /** @description The id of the delivery. */
                id: string;
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
                    "application/json": components["schemas"]["OutboundDeliveryWithBody"];
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
    redeliverServerOutbound: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the outbound webhook. */
                name: string;
                /** @description The id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which waits to be sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutboundDelivery"];
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
    testServerOutbound: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the outbound webhook. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. Its state is sent or failed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutboundDelivery"];
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
    explainServerOutbound: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the outbound webhook. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OutboundQuestion"];
            };
        };
        responses: {
            /** @description What would be sent now, and why. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutboundExplanation"];
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
    rotateOutboundSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Retrying a request with the same key and body has no further effect. For one minute, a retry with the same API key or session returns the first response, including the secret. After that, the response is 409. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The name or uid of the factory. */
                factory: string;
                /** @description The name of the outbound webhook. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutboundSecret"];
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
    getWorkerDemand: {
        parameters: {
            query?: {
                /** @description Only runs with this worker host: a name, labels:a,b in any order, or local for runs that name no worker. */
                worker_host?: string;
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
                    "application/json": components["schemas"]["WorkerDemand"];
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
    listWorkers: {
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
            /** @description A page of workers, sorted by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkerList"];
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
    createWorker: {
        parameters: {
            query?: never;
            header?: {
                /** @description Retrying a request with the same key and body has no further effect. For one minute, a retry with the same API key or session returns the first response, including the secret. After that, the response is 409. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWorker"];
            };
        };
        responses: {
            /** @description The worker, with its token. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWorker"];
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
    getWorker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the worker. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The worker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Worker"];
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
    revokeWorker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the worker. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The worker was deleted. */
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
    drainWorker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the worker. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The worker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Worker"];
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
    endWorkerDrain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the worker. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The worker. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Worker"];
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
    listConnectedWorkers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The names of connected workers, each once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectedWorkerList"];
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
            /** @description The events: run {run_id, state, deleted, factory_uid, at} (deleted is true if a person deleted the run), delivery {delivery_id, webhook_uid, outcome, factory_uid, at}, webhook {webhook_uid, status, factory_uid, at} (status is deleted or deliveries_deleted), factory {factory_uid, name, status, at}, pause {pause_id, status, factory_uid, at}, task {task_uid, stage, factory_uid, at} (stage is deleted if the task was deleted), budget {owner_uid, limit, factory_uid, at} (a limit for a day, usdPerDay or runsPerDay, of the factory, agent or automation owner_uid is used up; sent once in 24 hours), and reset {} when changes were missed. Send Last-Event-ID to resume. */
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
                /** @description Retrying a request with the same key and body has no further effect. For one minute, a retry with the same API key or session returns the first response, including the secret. After that, the response is 409. */
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
                /** @description Only calls by this principal, given by name or UID. */
                actor?: string;
                /** @description Only calls with this operationId. */
                action?: string;
                /** @description Only calls that belong to this factory, given by name or UID; a deleted factory by UID. Calls from before this filter existed belong to no factory. */
                factory?: string;
                /** @description Only calls at or after this time. */
                since?: string;
                /** @description Only calls before this time. */
                until?: string;
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
            /** @description A page of the audit log. With filters, it can contain fewer records than the limit, or none, while has_next_page is true. */
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
    listServers: {
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
            /** @description A page of servers, sorted by name. With SQLite, it contains only the server that responds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerList"];
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
    getActivityHistory: {
        parameters: {
            query?: {
                /** @description The time range: an hour in buckets of a minute, a day or a week in buckets of an hour, or 30 days in buckets of a day. */
                range?: "1h" | "24h" | "7d" | "30d";
                /** @description The hours by which the caller's time is ahead of UTC. Buckets of a day begin at midnight of that time. */
                utc_offset?: number;
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
                    "application/json": components["schemas"]["ActivityHistory"];
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
    listFactoryActivity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts of each factory. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryActivityList"];
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
                /** @description Only the webhook with this UID. */
                uid?: string;
                /** @description Also include the hourly counts and how the recent runs went. */
                details?: boolean;
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
    listAutomationActivity: {
        parameters: {
            query?: {
                /** @description Only automations of this factory, given by name or UID. */
                factory?: string;
                /** @description Only the automation with this UID. */
                uid?: string;
                /** @description Only automations that a schedule starts. */
                scheduled?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The automations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutomationActivityList"];
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
    listAgentActivity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentActivityList"];
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
    getUsage: {
        parameters: {
            query?: {
                /** @description What the usage is summed by. */
                group_by?: "automation" | "agent" | "factory" | "model" | "day";
                /** @description The beginning of the period: a time such as 2026-01-31T12:00:00Z, a date, or an age such as 24h or 30d. */
                since?: string;
                /** @description The end of the period, in the same forms. Default: now. */
                until?: string;
                /** @description Only usage of this factory, given by name or UID. */
                factory?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageReport"];
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
    listCostliestRuns: {
        parameters: {
            query?: {
                /** @description The beginning of the period: a time such as 2026-01-31T12:00:00Z, a date, or an age such as 24h or 30d. */
                since?: string;
                /** @description The end of the period, in the same forms. Default: now. */
                until?: string;
                /** @description Only usage of this factory, given by name or UID. */
                factory?: string;
                /** @description The maximum number of runs to return. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunSpendList"];
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
    getFactoryMetrics: {
        parameters: {
            query?: {
                /** @description The start of the period, inclusive. Default: 30 days before end_date. */
                start_date?: string;
                /** @description The end of the period, exclusive. Default: now. */
                end_date?: string;
                /** @description Also returns the figures of each period, in UTC. Weeks start on Sunday. At most 365 periods. */
                group_by_period?: "day" | "week" | "month";
            };
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryMetrics"];
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
    getRunBreakdown: {
        parameters: {
            query: {
                /** @description What the figures are divided by. */
                group_by: "agent_type" | "status" | "source" | "root_vs_subrun" | "model" | "harness";
                /** @description The start of the period, inclusive. Default: 30 days before end_date. */
                start_date?: string;
                /** @description The end of the period, exclusive. Default: now. */
                end_date?: string;
                /** @description Also returns the figures of each period, in UTC. Weeks start on Sunday. At most 365 periods. */
                group_by_period?: "day" | "week" | "month";
            };
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunBreakdown"];
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
    getCostBreakdown: {
        parameters: {
            query: {
                /** @description What the figures are divided by. */
                group_by: "source" | "user" | "agent" | "model";
                /** @description The start of the period, inclusive. Default: 30 days before end_date. */
                start_date?: string;
                /** @description The end of the period, exclusive. Default: now. */
                end_date?: string;
                /** @description Also returns the figures of each period, in UTC. Weeks start on Sunday. At most 365 periods. */
                group_by_period?: "day" | "week" | "month";
            };
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostBreakdown"];
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
    getPrCosts: {
        parameters: {
            query?: {
                /** @description The start of the period, inclusive. Default: 30 days before end_date. */
                start_date?: string;
                /** @description The end of the period, exclusive. Default: now. */
                end_date?: string;
                /** @description Also returns the figures of each period, in UTC. Weeks start on Sunday. At most 365 periods. */
                group_by_period?: "day" | "week" | "month";
            };
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrCosts"];
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
    getPrCostsBySize: {
        parameters: {
            query?: {
                /** @description The start of the period, inclusive. Default: 30 days before end_date. */
                start_date?: string;
                /** @description The end of the period, exclusive. Default: now. */
                end_date?: string;
                /** @description Also returns the figures of each period, in UTC. Weeks start on Sunday. At most 365 periods. */
                group_by_period?: "day" | "week" | "month";
            };
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrCostsBySize"];
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
    listCostliestPullRequests: {
        parameters: {
            query?: {
                /** @description The start of the period, inclusive. Default: 30 days before end_date. */
                start_date?: string;
                /** @description The end of the period, exclusive. Default: now. */
                end_date?: string;
                /** @description The maximum number of items to return. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostliestPullRequests"];
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
    listPullRequests: {
        parameters: {
            query?: {
                /** @description The maximum number of items to return. */
                limit?: number;
                /** @description The next_cursor of the previous page. */
                cursor?: string;
                /** @description Only pull requests of this repository: owner/name. */
                repo?: string;
                /** @description Only pull requests in one of these states. */
                state?: ("open" | "draft" | "merged" | "closed")[];
                /** @description Only pull requests opened at or after this time. */
                opened_after?: string;
                /** @description Only pull requests opened before this time. */
                opened_before?: string;
                /** @description Only pull requests merged at or after this time. */
                merged_after?: string;
                /** @description Only pull requests merged before this time. */
                merged_before?: string;
                /** @description Only pull requests updated at or after this time. */
                updated_after?: string;
            };
            header?: never;
            path: {
                /** @description The UID or name of the factory. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestList"];
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
                /** @description true: only deliveries with a run that failed. false: only deliveries without one. */
                failed?: boolean;
                /** @description Only deliveries of this event, as named by the provider's header or by the payload, for example `issues`. Case is ignored. */
                event?: string;
                /** @description Only deliveries that contain all of these words, in any order: in the payload, the event, the delivery ID, the identity or the reason of a refusal. A word that ends with * matches all words that begin with it. Case and accents are ignored. */
                q?: string;
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
                    /** @description For how many seconds changes have been waiting to appear in the list. The header is missing if the list is up to date. */
                    "Millrace-List-Lag"?: number;
                    /** @description After an upgrade, older deliveries are made searchable in the background. Those received before this time cannot be found with q or event yet. The header is missing if all can be found. */
                    "Millrace-Searchable-From"?: string;
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
    makeDeliveryTest: {
        parameters: {
            query: {
                /** @description The name of the automation that the test is for. */
                automation: string;
                /** @description The name of the file, without .yaml. */
                name?: string;
            };
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
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryTest"];
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
