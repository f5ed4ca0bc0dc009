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
        /** List runs */
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
        /** Delete a run that has ended, with its transcript, its artifacts and its workspace */
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
        /** Steer or continue a run with a message */
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
        /** Cancel a run that has not ended */
        post: operations["cancelRun"];
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
        /** Report what the run has made, with the token of the run */
        post: operations["reportArtifact"];
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
        /** Say that the run needs an answer from a person, with the token of the run */
        post: operations["reportBlocked"];
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
        /** Get an artifact of a run, and of a file where to download it */
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
        /** Get a file that a run has left, byte for byte */
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
        /** Download a file by a link that expires; it needs no key */
        get: operations["downloadByLink"];
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
        /** List the files that the finished turns of a run have left */
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
        /** Get what has happened to a run, oldest first */
        get: operations["getTimeline"];
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
        /** Get what the models of a run were used for, turn by turn */
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
    "/agent/sessions/{sessionUuid}/redirect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the conversation to read instead of a session that has ended */
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
        /** Get the live session of a conversation; it needs no key */
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
        /** Get what the agent of a conversation wrote */
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
        /** Steer or continue a conversation with a message */
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
        /** List the skills of definitions and repositories, which the public API calls agents */
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
        /** Make an environment */
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
        /** List the agents of definitions and those that this API has made */
        get: operations["listIdentities"];
        put?: never;
        /** Make an agent that belongs to no factory */
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
        /** Change an agent that this API has made */
        put: operations["updateIdentity"];
        post?: never;
        /** Delete an agent that this API has made, and revoke its keys */
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
        /** Make a schedule */
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
        /** Replace what a schedule says */
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
        /** Start no runs until the schedule is resumed */
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
        /** Start runs again, from the next due time on */
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
        /** List factories as the clients of the public API know them */
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
        /** Get a factory as the clients of the public API know it */
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
        /** Hand a run to a factory, whose foreman takes it */
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
        /** Make a factory whose definition millrace keeps */
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
        /** Get a factory: its source, what is in force, and what is wrong */
        get: operations["getFactory"];
        put?: never;
        post?: never;
        /** Delete a factory with all that is in force of it; one that the settings name is refused */
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
        /** Add a webhook; a secret that is made for it is shown this once */
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
        /** Get a webhook, also one that has been deleted */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /** Delete a webhook: its senders get 404, and automations that select it stop firing for it */
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
        /** Delete the deliveries of a webhook with their payloads, but those whose runs have not ended */
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
        /** Delete the payload of a delivery whose runs have ended, and their copies of it */
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
        /** Write the file of an automation, a new one or one that is there */
        put: operations["putAutomation"];
        post?: never;
        /** Delete an automation with its tests */
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
        /** The name that the secret of a new webhook would get, where none is given */
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
        /** Give a webhook another secret, or its first one; the old one stops working at once */
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
        /** List the files of the definition in force */
        get: operations["listFiles"];
        put?: never;
        /** Write and delete several files of the definition at once, all of them or none */
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
        /** Get a file of the definition in force */
        get: operations["getFile"];
        /** Write a file of the definition, a new one or one that is there */
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
        /** What deleting a factory would take away, also of one that no source serves now */
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
        /** List the attempts to bring revisions into force, the newest first */
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
        /** Whether a commit is in force */
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
        /** Hold what is in force, whatever the source says */
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
        /** Follow the source again, which is looked at at once */
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
        /** Bring a revision into force again that was in force before, and suspend the factory */
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
        /** How what is stored differs from the revision in force, which is read anew */
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
        /** Get the files of the revision in force, or of another that was tried */
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
        /** Give a webhook the uid back that it had in a store which is lost */
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
        /** What applying a definition would change; nothing is written */
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
        /** End a pause, and start the runs that waited for it */
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
        /** Get every schema of a version */
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
        /** Get one schema, as editors do */
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
        /** Check a definition without a server's state; needs a key unless MILLRACE_PUBLIC_VALIDATE is on */
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
        /** Stream changes of runs, deliveries, factories and pauses as Server-Sent Events */
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
        /** List the secrets that factories of the key may use, without their values */
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
        /** Give a secret its value, which cannot be read again, and say which factories may use it */
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
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the calls that wrote something or tried to, the newest first */
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
        /** Who calls, and what that key may do */
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
        /** How many deliveries and runs there were, hour by hour */
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
        /** List the settings in force, secrets masked */
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
        /** How the last deliveries of every webhook ended */
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
        /** How many deliveries of a webhook the log holds */
        get: operations["getWebhookTraffic"];
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
         * @description Where a run stands.
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
             * @description The conversation of the run: /agent/conversations takes it, and so does a request to continue it.
             */
            conversation_id?: string;
            /**
             * Format: uri
             * @description What started the run: its ticket, delivery, schedule or automation.
             */
            trigger_url?: string;
            /** Format: uuid */
            parent_run_id?: string;
            /** @description The prompt as it was sent. */
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
            /** @description What its agent said at last, where its harness tells that from the rest. */
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
            /** @description Whether the run waits for another one to end. */
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
            /** @description The turn in which it happened; of agent_started also how the agent is kept apart, of artifact_contains_secret the file. */
            payload?: {
                turn?: number;
                /** @enum {string} */
                sandbox?: "bwrap" | "container" | "none";
                /** @description What is not kept apart on this server, a sentence each. */
                weaknesses?: string[];
                /** Format: uuid */
                artifact_uid?: string;
                filepath?: string;
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
        /** @description What its models were used for so far, in all turns, where its harness tells that. */
        RequestUsage: {
            /** @description Where its harness tells a cost. */
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
            /** @description Whether its harness has told any. */
            available: boolean;
            /**
             * Format: uuid
             * @description The same as run_id.
             */
            conversation_id: string;
            /** Format: uuid */
            run_id: string;
            /** @description Since it was told last. */
            age_seconds?: number;
            usage?: {
                /** @description All of the input, with what was read from a cache. */
                input_tokens: number;
                output_tokens: number;
                /** @description The part of the input that was read from a cache. */
                cached_tokens: number;
                /** @description As the harness reckons it; null where it tells none. */
                cost_usd: number | null;
                turns: {
                    turn: number;
                    model_id: string;
                    /** @description All of the input, with what was read from a cache. */
                    input_tokens: number;
                    output_tokens: number;
                    /** @description The part of the input that was read from a cache. */
                    cached_tokens: number;
                    /** @description As the harness reckons it; null where it tells none. */
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
             * @description Of a plan: the same as artifact_uid.
             */
            document_uid?: string;
            /**
             * Format: uuid
             * @description Of a plan: the same as artifact_uid.
             */
            notebook_uid?: string;
            title?: string;
            url?: string;
            /** @description Of a pull request: empty when its agent has not named it. */
            branch?: string;
            /**
             * @description Of a pull request: the forge is not asked.
             * @enum {string}
             */
            status?: "unknown";
            /** @description Of an external reference: what kind of thing it is. */
            reference_type?: string;
            /** @description Of a plan: its text. */
            content?: string;
            /** @description Of a file: its path below the folder artifacts/. */
            filepath?: string;
            filename?: string;
            mime_type?: string;
            size_bytes?: number;
            sha256?: string;
            /** @description Of a text file: it contains the value of a secret that was granted to the run. */
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
             * @description The run that made it.
             */
            run_id: string;
            data: components["schemas"]["ArtifactDetailsData"];
        };
        ArtifactDetailsData: {
            /** Format: uuid */
            artifact_uid: string;
            /**
             * Format: uuid
             * @description Of a plan: the same as artifact_uid.
             */
            document_uid?: string;
            /**
             * Format: uuid
             * @description Of a plan: the same as artifact_uid.
             */
            notebook_uid?: string;
            title?: string;
            url?: string;
            /** @description Of a pull request: empty when its agent has not named it. */
            branch?: string;
            /**
             * @description Of a pull request: the forge is not asked.
             * @enum {string}
             */
            status?: "unknown";
            /** @description Of an external reference: what kind of thing it is. */
            reference_type?: string;
            /** @description Of a plan: its text. */
            content?: string;
            /** @description Of a file: its path below the folder artifacts/. */
            filepath?: string;
            filename?: string;
            mime_type?: string;
            size_bytes?: number;
            sha256?: string;
            /** @description Of a text file: it contains the value of a secret that was granted to the run. */
            contains_secret?: boolean;
            /** @description The media type of the content or the file. */
            content_type?: string;
            /**
             * Format: uri
             * @description Of a file: where it can be downloaded without a key, until expires_at.
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
                 * @description The uid of the artifact.
                 */
                attachment_id: string;
                /** Format: uri */
                download_url: string;
                /** @description The path below the folder artifacts/. */
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
            /** @description What a request for a run takes as its skill. */
            id: string;
            /** @description The text of the skill. */
            base_prompt: string;
            description: string;
            /** @description The environments that have the repository. */
            environments: {
                uid: string;
                name: string;
            }[];
            /** @description The repository; for a skill of a definition, the owner is empty and the name is the factory. */
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
            /** @description Null for a message that joined the prompt. */
            followup_id: string | null;
            /** @enum {string} */
            outcome: "live_session" | "queued_prompt" | "handoff_execution" | "queue_pending";
        };
        ConversationFollowupResponse: {
            /** @description Null for a message that joined the prompt. */
            followup_id: string | null;
            /** @enum {string} */
            outcome: "live_session" | "queued_prompt" | "handoff_execution" | "queue_pending";
            /**
             * Format: uuid
             * @description The run that got the message.
             */
            run_id: string;
        };
        SessionRedirect: {
            /**
             * Format: uuid
             * @description Where to read the session; left out while its agent is at work.
             */
            conversation_id?: string;
        };
        ConversationRedirect: {
            /**
             * Format: uuid
             * @description The live session of the conversation; left out when there is none.
             */
            session_id?: string;
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
        } & (unknown | unknown | unknown);
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
            /** @description Where the run executes: warp, local and millrace are this server, and nothing else is known. */
            worker_host?: string;
            harness?: {
                type?: string;
                model_id?: string;
                reasoning_level?: string;
                /** @description The secret that holds the key of the program; one that the agent is granted. */
                auth_secret_name?: string;
            };
            /** @description The secrets that hold the keys of programs: only that of the run's own program counts. */
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
            /** @description The name of a managed secret. */
            name: string;
        };
        GitHubRepo: {
            owner: string;
            repo: string;
        };
        CloudEnvironmentConfig: {
            /** @description At most 200 characters, not only spaces, and no control characters. */
            name: string;
            /** @description A text without NUL characters. */
            description?: string | null;
            /** @description A reference of an image, for example registry.example.com/team/image:1. */
            docker_image?: string;
            github_repos?: components["schemas"]["GitHubRepo"][];
            /** @description Shell commands that prepare the environment, in this order. */
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
            /** @description Secrets that it names and that do not exist: runs go without them. Left out when there are none. */
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
                /** @description The secret that holds the key of the program; one that the agent is granted. */
                auth_secret_name?: string;
            };
            /** @description The secrets that hold the keys of programs: only that of the run's own program counts. */
            harness_auth_secrets?: {
                claude_auth_secret_name?: string;
                codex_auth_secret_name?: string;
            };
            environment_id?: string;
            mcp_servers?: {
                [key: string]: components["schemas"]["MCPServerConfig"];
            };
            worker_host?: string;
            /** @description The factory whose definition describes the agent. */
            factory_uid?: string;
            /** @description The agentType of a definition, or CUSTOM. */
            agent_type: string;
            /** @enum {string} */
            credential_strategy: "EXECUTOR";
            /** @description The runner of its runs; empty when there is none. */
            default_runner_uid: string;
            memory: components["schemas"]["AgentMemory"];
        };
        /** @description There are no memory stores. */
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
            /** @description At most 200 characters, not only spaces, and no control characters. */
            name: string;
            /** @description A text without NUL characters. */
            description?: string | null;
            secrets?: components["schemas"]["SecretReference"][];
            skills?: string[];
            /** @description What each of its runs is told first. */
            prompt?: string | null;
            /** @description The model of its runs, where a run names none. */
            base_model?: string | null;
            /**
             * @deprecated
             * @description The same as harness.type.
             */
            base_harness?: string | null;
            /** @description The program of its runs. */
            harness?: {
                type?: string;
                model_id?: string;
                reasoning_level?: string;
                /** @description The secret that holds the key of the program; one that the agent is granted. */
                auth_secret_name?: string;
            } | null;
            /** @description The secrets that hold the keys of programs: only that of the run's own program counts. */
            harness_auth_secrets?: {
                claude_auth_secret_name?: string;
                codex_auth_secret_name?: string;
            } | null;
            /** @description The environment of its runs, where a run names none. */
            environment_id?: string | null;
            mcp_servers?: {
                [key: string]: components["schemas"]["MCPServerConfig"];
            } | null;
            /** @description warp, local or millrace: runs execute on this server. */
            worker_host?: string | null;
            agent_type?: string | null;
            /** @enum {string|null} */
            credential_strategy?: "CREATOR" | "EXECUTOR" | null;
            default_runner_uid?: string | null;
            factory_uid?: string | null;
            inference_providers?: Record<string, unknown> | null;
            memory?: Record<string, unknown> | null;
            on_behalf_of_enabled?: boolean | null;
        };
        /** @description What is left out or null stays; an empty value clears. */
        UpdateAgentRequest: {
            /** @description At most 200 characters, not only spaces, and no control characters. */
            name?: string | null;
            /** @description A text without NUL characters. */
            description?: string | null;
            secrets?: components["schemas"]["SecretReference"][] | null;
            skills?: string[] | null;
            /** @description What each of its runs is told first. */
            prompt?: string | null;
            /** @description The model of its runs, where a run names none. */
            base_model?: string | null;
            /**
             * @deprecated
             * @description The same as harness.type.
             */
            base_harness?: string | null;
            /** @description The program of its runs. */
            harness?: {
                type?: string;
                model_id?: string;
                reasoning_level?: string;
                /** @description The secret that holds the key of the program; one that the agent is granted. */
                auth_secret_name?: string;
            } | null;
            /** @description The secrets that hold the keys of programs: only that of the run's own program counts. */
            harness_auth_secrets?: {
                claude_auth_secret_name?: string;
                codex_auth_secret_name?: string;
            } | null;
            /** @description The environment of its runs, where a run names none. */
            environment_id?: string | null;
            mcp_servers?: {
                [key: string]: components["schemas"]["MCPServerConfig"];
            } | null;
            /** @description warp, local or millrace: runs execute on this server. */
            worker_host?: string | null;
            agent_type?: string | null;
            /** @enum {string|null} */
            credential_strategy?: "CREATOR" | "EXECUTOR" | null;
            default_runner_uid?: string | null;
            factory_uid?: string | null;
            inference_providers?: Record<string, unknown> | null;
            memory?: Record<string, unknown> | null;
            on_behalf_of_enabled?: boolean | null;
        };
        ScheduledAgentItem: {
            /** Format: uuid */
            id: string;
            name: string;
            cron_schedule: string;
            prompt: string;
            enabled: boolean;
            /** @description Marks each of its runs. */
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
            /** @description At most 200 characters, not only spaces, and no control characters. */
            name: string;
            /** @description Five fields in UTC, a macro such as @daily, or @every 30m; without control characters. */
            cron_schedule: string;
            /** @description Required unless agent_config.skill_spec is given. */
            prompt?: string;
            agent_config?: components["schemas"]["AmbientAgentConfig"];
            /** @description True when it is left out. */
            enabled?: boolean;
            /** @description Without effect: every schedule is the team's. */
            team?: boolean;
            /** @description The agent that runs, as /agent/identities lists it. */
            agent_uid?: string;
            /** @description At most 20 pairs: keys of 1 to 64 letters, digits, dots, underscores and hyphens; values of at most 256 bytes. */
            metadata?: {
                [key: string]: string;
            };
            /** @enum {string} */
            mode?: "normal" | "plan" | "orchestrate";
        };
        UpdateScheduledAgentRequest: {
            /** @description At most 200 characters, not only spaces, and no control characters. */
            name: string;
            /** @description Five fields in UTC, a macro such as @daily, or @every 30m; without control characters. */
            cron_schedule: string;
            /** @description Required unless agent_config.skill_spec is given. */
            prompt?: string;
            agent_config?: components["schemas"]["AmbientAgentConfig"];
            enabled: boolean;
            /** @description The agent that runs from now on; left out, it stays. */
            agent_uid?: string;
            /** @description Left out, what each run is marked with stays. */
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
            /** @description What the agent is asked; required without a skill. */
            prompt?: string;
            /** @enum {string} */
            mode?: "normal" | "plan" | "orchestrate";
            /** @description A skill such as owner/repo:name. */
            skill?: string;
            config?: components["schemas"]["AmbientAgentConfig"];
            /** @description A text that is not empty. */
            title?: string;
            team?: boolean;
            agent_identity_uid?: string;
            /** @description The factory that the run belongs to, by name or uid; its foreman takes it where no agent is named. */
            factory?: string;
            on_behalf_of?: string;
            conversation_id?: string;
            attachments?: components["schemas"]["AttachmentInput"][];
            /** @deprecated */
            images?: components["schemas"]["ImageInput"][];
            parent_run_id?: string;
            interactive?: boolean;
            /** @description At most 20 pairs: keys of 1 to 64 letters, digits, dots, underscores and hyphens; values of at most 256 bytes. */
            metadata?: {
                [key: string]: string;
            };
        };
        AttachmentInput: {
            /** @description A file name without a path, at most 255 bytes, another one for each attachment, and none that the run's own files have. */
            file_name: string;
            /** @description A media type such as image/png. */
            mime_type: string;
            /**
             * Format: base64
             * @description The bytes in base64.
             */
            data: string;
        };
        ImageInput: {
            /** @enum {string} */
            mime_type: "image/jpeg" | "image/png" | "image/gif" | "image/webp";
            /**
             * Format: base64
             * @description The bytes in base64.
             */
            data: string;
        };
        ArtifactReport: {
            /** @enum {string} */
            artifact_type: "PLAN" | "PULL_REQUEST" | "EXTERNAL_REFERENCE";
            /** @description A pull request and an external reference have a url, a plan has a title. */
            data: {
                title?: string;
                /** @description A link, https or http. */
                url?: string;
                branch?: string;
                /** @description Of an external reference, for example linear_issue. */
                reference_type?: string;
                /** @description Of a plan: its text, at most 256 KiB. */
                content?: string;
            };
        };
        BlockedReport: {
            /** @description What the agent asks, at most 16 KiB. */
            message: string;
        };
        RunFollowupRequest: {
            /** @description A text that is not empty. */
            message: string;
            /** @enum {string} */
            mode?: "normal" | "plan" | "orchestrate";
            attachments?: {
                attachment_id: string;
                file_name?: string;
            }[];
        };
        FactoryRunRequest: {
            /** @description A text that is not empty. */
            prompt: string;
            /** @description A text that is not empty. */
            title?: string;
            /** @description Where the request comes from, as source:id. */
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
            /** @description What changes elsewhere with a factory that was made just now, in words. Only in the answer that makes one. */
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
            /** @description Whether the secret has another value by now than the one that the webhook was applied with and goes by. */
            has_newer_secret: boolean;
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
            /** @description What a header of the provider says that it tells of, for example `issues`. */
            event?: string;
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
            /** @description The text of its file, where millrace keeps the definition. */
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
        NewFactory: {
            name: string;
        };
        NewWebhook: {
            name: string;
            /**
             * @description token, when left out.
             * @enum {string}
             */
            auth_mode?: "token" | "url_token" | "signature";
            /** @description For signature: the provider whose scheme is verified. */
            signature_scheme?: string | null;
            /** @description For the scheme custom: what stands under millrace.scheme in a webhook file. */
            custom_scheme?: Record<string, unknown>;
            /** @description For signature: the provider's signing secret. Left blank, millrace makes one where the receiver chooses it, and else awaits it. */
            secret?: string;
            /** @description The team secret that holds the credential. One that is there is used and not shown; without a name, one is made up. */
            secret_name?: string;
            delivery_id_header?: string | null;
            /** @description true, when left out. */
            enabled?: boolean;
        };
        SuggestedSecretName: {
            secret_name: string;
        };
        WebhookChange: {
            enabled?: boolean;
            delivery_id_header?: string | null;
            /** @description A webhook keeps its name: another one is refused. */
            name?: string;
        };
        SecretRotation: {
            /** @description For signature: the provider's new signing secret. */
            secret?: string;
        };
        /** @description A webhook; the URL of a url_token one holds its token this once. */
        CreatedWebhook: {
            uid: string;
            name: string;
            factory: string;
            /** @enum {string} */
            auth_mode: "token" | "url_token" | "signature";
            signature_scheme: string | null;
            secret_name: string;
            /** @description Whether the secret has another value by now than the one that the webhook was applied with and goes by. */
            has_newer_secret: boolean;
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
            /** @description Shown this once, when millrace made it. */
            secret?: string;
        };
        /** @description A webhook; the URL of a url_token one holds its new token this once. */
        RotatedWebhook: {
            uid: string;
            name: string;
            factory: string;
            /** @enum {string} */
            auth_mode: "token" | "url_token" | "signature";
            signature_scheme: string | null;
            secret_name: string;
            /** @description Whether the secret has another value by now than the one that the webhook was applied with and goes by. */
            has_newer_secret: boolean;
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
            /** @description Shown this once, when millrace made it. */
            secret?: string;
            /** @description The other webhooks that share the secret and go by its new value too: those of the factory by name, those of other factories as FACTORY/WEBHOOK. */
            also_rotated: string[];
            /** @description Webhooks of other factories that share the secret and still take the old value. */
            not_rotated: {
                factory: string;
                webhook: string;
                /** @description Why, and with what they take the new one. */
                reason: string;
            }[];
        };
        AutomationContent: {
            /** @description The whole text of its file. */
            content: string;
        };
        /** @description A file of the definition in force. */
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
            /** @description What the commit says. */
            message?: string;
            files: components["schemas"]["FileChange"][];
            /** @description Whether deletions of webhooks that the prune guard stops are meant. Left out, they are not. */
            allow_deletes?: boolean;
        };
        FileChange: {
            path: string;
            /** @description Null deletes the file. */
            content: string | null;
            /**
             * @description utf-8, when left out.
             * @enum {string}
             */
            encoding?: "utf-8" | "base64";
            /** @description Left out, a file stays as it is. */
            executable?: boolean;
            /** @description Of a file that is there: its ETag, or *. */
            etag?: string;
        };
        ChangedFiles: {
            /** @description The commit that is in force with the change. */
            revision: string;
            /** @description Those that were written. */
            files: components["schemas"]["FactoryFile"][];
        };
        FileContent: {
            content: string;
            /**
             * @description utf-8, when left out.
             * @enum {string}
             */
            encoding?: "utf-8" | "base64";
            /** @description Left out, a file stays as it is. */
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
            /** @description Why it cannot be deleted now, and what to do; null when it can. */
            refusal: string | null;
            /** @description Their URLs answer 404 from then on. */
            webhooks: {
                uid: string;
                name: string;
                url: string;
            }[];
            automations: {
                uid: string;
                name: string;
            }[];
            /** @description Runs that have not begun, and are cancelled. */
            waiting_runs: number;
            /** @description Runs that a worker has, and are cancelled. */
            working_runs: number;
            /** @description Schedules of the API that belong to it, and go. */
            schedules: number;
        };
        RevisionChange: {
            /** @enum {string} */
            action: "create" | "update" | "delete";
            kind: string;
            /** @description Empty for the factory itself. */
            name: string;
            /** @description The top-level fields that an update changes. */
            fields: string[];
        };
        AskedBy: {
            /**
             * @description change is that of a folder; null is for attempts from before this was kept.
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
        /** @description One attempt to bring a revision into force. */
        Revision: {
            id: string;
            /** @description The full hash of the commit; of a folder, of its content. */
            revision: string;
            author: string | null;
            message: string | null;
            /** @enum {string} */
            outcome: "applied" | "failed";
            /** @description What it changed; of one that failed, what it would have changed. */
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
            /** @description The hash of a revision that was in force, or at least its first 7 characters. */
            revision: string;
        };
        CommitStanding: {
            commit: string;
            /**
             * @description in_force: applied, or a commit after it is. failed: it was refused, and is not tried again by itself. replaced: it was in force, and something without it is now. suspended: nothing comes into force until somebody resumes the factory. pending: not looked at yet.
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
            /** @description What would have to change for the store to be as the revision is. */
            changes: components["schemas"]["RevisionChange"][];
            /** @description Names of webhooks whose credential is not in the store. */
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
            /** @description The 22 letters and digits at the end of the URL that its senders have. */
            uid: string;
        };
        /** @description What to plan: the production branch or the folder as it is now, when nothing is said. */
        PlanRequest: {
            /** @description The files of a definition, instead of the factory's own source. */
            files?: components["schemas"]["DefinitionFile"][];
            /** @description The definition in force with these files changed, as an editor holds them before they are saved. */
            changes?: components["schemas"]["PlannedFile"][];
            /** @description A branch, a tag, a commit or a full refs/… of the factory's own repository. */
            ref?: string;
            /** @description The number of a pull request of the factory's own repository, merged into the production branch as it is now. */
            pull_request?: number;
            /** @description Whether stored deliveries are held against the filters; true when nothing is said. */
            traffic?: boolean;
        };
        PlannedFile: {
            /** @description Relative to the root of the definition, with /. */
            path: string;
            /** @description The text that it would have; null takes it away. */
            content: string | null;
        };
        DefinitionFile: {
            /** @description Relative to the root of the definition, with /. */
            path: string;
            content: string;
            /**
             * @description The content is the bytes in base64; text without it.
             * @constant
             */
            encoding?: "base64";
            /** @description Whether the file is meant to be executed. */
            executable?: boolean;
        };
        Plan: {
            factory: string;
            /** @description The commit; null for files that were sent. */
            revision: string | null;
            /** @description Whether it could be applied: no problem is an error, and no warning blocks. */
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
            /** @description What stored deliveries would have started, by the definition in force and by the plan; null when nobody asked, nothing is in force yet, the definition is not valid, or the deliveries took too long. */
            traffic: {
                /** Format: date-time */
                since: string;
                /** @description How many were held against the filters. */
                deliveries: number;
                /** @description Whether these are all since then; false leaves out older ones. */
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
            /** @description What it has, or had before it was deleted; null for a new one. */
            uid: string | null;
            /** @description Of an update: what differs. */
            fields: string[];
            /** @description Of an update: what those fields said and say, at most 20. */
            values: components["schemas"]["FieldChange"][];
        };
        FieldChange: {
            /** @description As triggers[0].payload.branch. */
            field: string;
            /** @description JSON, cut; of a text of several lines, the first that differs. Null for what was not there. What an MCP server is called with is not shown. */
            before: string | null;
            /** @description As before, of what it would say. */
            after: string | null;
            /** @description Of a text of several lines: which is shown, and how many give way to how many. */
            lines: {
                first: number;
                before: number;
                after: number;
            } | null;
        };
        PlanWarning: {
            /** @enum {string} */
            code: "url_will_change" | "automation_stops_firing" | "trigger_narrowed" | "runner_ignored" | "provider_not_connected" | "secret_missing" | "secret_unusable" | "secret_weak" | "harness_unknown" | "runner_unknown" | "repository_without_forge" | "webhook_unknown" | "schedule_unknown" | "deletes_most_webhooks" | "deletes_used_webhook";
            message: string;
            path: string;
            line: number;
            column: number;
            /** @description Whether it is not applied as long as this is so. */
            blocking: boolean;
        };
        AutomationTraffic: {
            name: string;
            /** @description Runs by the definition in force. */
            before: number;
            /** @description Runs by the plan. */
            after: number;
            /** @description Deliveries that start a run by the plan only; a few of the newest. */
            starts: string[];
            /** @description Deliveries that start a run now and would not; a few of the newest. */
            stops: string[];
        };
        /** @description What to pause. Without factory, webhook and automation: the whole server. */
        NewPause: {
            /** @description The name or the uid of a factory. */
            factory?: string;
            /** @description The name or the uid of a webhook: runs that its deliveries start. */
            webhook?: string;
            /** @description The name or the id of an automation: runs that it starts. */
            automation?: string;
            /** @description Shown wherever the pause is shown. */
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
            /** @description Each schema (JSON Schema 2020-12) by its file name. */
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
            /** @description What only a server can resolve. */
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
            /** @description Whether every factory may use it. */
            shared: boolean;
            /** @description Names of the factories that may use it, as far as the key reaches them. */
            factories: string[];
            /** @description Whether the settings of the server use it as a credential: no agent gets it. */
            of_server: boolean;
        };
        SecretList: {
            secrets: components["schemas"]["Secret"][];
            page_info: components["schemas"]["PageInfo"];
        };
        SecretValue: {
            /** @description Left out, a secret that is there keeps its value: then factories or shared is needed. */
            value?: string;
            /** @description Names or uids of the factories that may use it, in the place of those before. Needed, or shared, for a new secret on a server with several factories; what a key for one factory sets is that factory's. An empty list leaves it to the server alone. */
            factories?: string[];
            /** @description Whether every factory may use it, those to come included. */
            shared?: boolean;
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
            /** @description Whether MILLRACE_ADMIN_KEY of the server is this key. Revoked, it stays so: the setting has to be given another value. */
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
        AuditRecord: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            principal: components["schemas"]["RunCreatorInfo"];
            /** @description Null for a call with the token of a run. */
            key_id: string | null;
            /** @description The run whose token was used; the principal has created it. */
            run_id?: string;
            /** @description The operationId of the call. */
            action: string;
            /** @description The parameters of the path. */
            subject: string;
            /** @description The HTTP status of the answer. */
            status: number;
            /** @description Of an answer that refuses. */
            trace_id?: string;
            /** @description Where the call came from. */
            address: string;
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
            /** @description Uids; null reaches every factory. */
            factories: string[] | null;
            /**
             * Format: date-time
             * @description When the key expires.
             */
            expires_at: string | null;
            /** @description Where people and clients reach this server. */
            public_url: string;
            /** @description Where senders reach its ingress. */
            webhook_url: string;
            /** @description What its operator should set, for example an agent command; empty when nothing is missing. */
            server_notices: string[];
        };
        /** @description What happened from an instant on for an hour. */
        ActivityHour: {
            /** Format: date-time */
            at: string;
            accepted: number;
            duplicates: number;
            rejected: number;
            /** @description Runs that were created then. */
            runs: number;
            /** @description Those of them that have ended FAILED or in ERROR by now. */
            runs_failed: number;
        };
        Activity: {
            /** @description The oldest first. */
            hours: components["schemas"]["ActivityHour"][];
        };
        Setting: {
            name: string;
            /** @description Of a secret only that it is set; null for what is not set. */
            value: string | null;
            is_default: boolean;
            /** @description The environment variable that sets it. */
            env: string;
            /** @description The flag of `millrace serve` that sets it. */
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
            /** @description The last 20 deliveries, the newest first. */
            latest: {
                /** @enum {string} */
                outcome: "Accepted" | "Duplicate" | "Rejected (auth)" | "Rejected (invalid JSON)" | "Rejected (too large)";
                /** Format: date-time */
                time: string;
            }[];
        };
        WebhookActivityList: {
            webhooks: components["schemas"]["WebhookActivity"][];
        };
        WebhookTraffic: {
            /** @description Every entry of the log, refusals and duplicates too. */
            deliveries: number;
            /** @description Those of the last seven days. */
            deliveries_7_days: number;
            /**
             * Format: date-time
             * @description When the last of them came.
             */
            last_delivery_at: string | null;
        };
        DeletedDeliveries: {
            /** @description How many deliveries are gone. */
            deleted: number;
            /** @description How many stay, because runs of theirs have not ended. */
            kept: number;
        };
        TestDeliveryRequest: {
            /** @description The JSON to send; a small test body when it is left out. */
            body?: unknown;
            /** @description Or the body as text, which is sent byte for byte. */
            text?: string;
            /** @description For a webhook of the scheme github: what X-GitHub-Event says. */
            event?: string;
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
            /** @description The first field that is wrong. */
            field?: string;
            /** @description Every field that is wrong. */
            errors?: {
                field: string;
                message: string;
            }[];
            /** @description What keeps a change of a definition from being valid. */
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
                /** @description Sent again with the same key and body, the request has the effect and the answer of the first time. */
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
                /** @description What to sort by; agent is the name of the skill. */
                sort_by?: "updated_at" | "created_at" | "title" | "agent";
                /** @description Last first or first first. */
                sort_order?: "asc" | "desc";
                /** @description Only runs in one of these states. */
                state?: components["schemas"]["RunState"][];
                /** @description Only runs in the states that one of these words stands for. */
                task_status?: ("running" | "failed" | "blocked" | "cancelled" | "complete")[];
                /** @description The name in the configuration. */
                name?: string;
                /** @description The model. */
                model_id?: string;
                /** @description The uid of who asked for the run. */
                creator?: string;
                /** @description The uid of whom it acts as. */
                executor?: string;
                /** @description How the run was started. */
                source?: ("API" | "CLI" | "WEB_APP" | "CUSTOM_WEBHOOK" | "SCHEDULED_AGENT" | "LINEAR" | "SLACK" | "LOCAL" | "GITHUB_ACTION" | "CLOUD_MODE" | "JIRA" | "SELF_IMPROVEMENT" | "GITHUB_WEBHOOK" | "GITLAB_WEBHOOK" | "AUTOFIX" | "RUN_SCORER" | "ORCHESTRATION" | "TEAMS" | "AZURE_DEVOPS_WEBHOOK" | "BENCHMARK_TRIAL" | "CREATE_BENCHMARK_TASK")[];
                /** @description Every run of this server is REMOTE. */
                execution_location?: "LOCAL" | "REMOTE";
                /** @description Not before this instant. */
                created_after?: string;
                /** @description Before this instant. */
                created_before?: string;
                /** @description Not updated before this instant. */
                updated_after?: string;
                /** @description The uid of the environment, or empty-environment. */
                environment_id?: string;
                /** @description A skill by its specification or its name. */
                skill?: string;
                /** @description The same as skill. */
                skill_spec?: string;
                /** @description The schedule that started the run. */
                schedule_id?: string;
                /** @description Only runs that were started from this one, at any remove. */
                ancestor_run_id?: string;
                /** @description Pairs that all have to be there: metadata[key]=value. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Only runs that have left something of this type. */
                artifact_type?: "PLAN" | "PULL_REQUEST" | "SCREENSHOT" | "FILE" | "EXTERNAL_REFERENCE";
                /** @description Words of the title, the beginning of the prompt or the skill; or the id or the link of a run. */
                q?: string;
                /** @description The uid of the automation that started the run. */
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
            header?: {
                /** @description Sent again with the same key and body, the request has the effect and the answer of the first time. */
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
                /** @description Answer when the run has ended or is blocked, or after this long: at most 60s. */
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
    followUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key and body, the request has the effect and the answer of the first time. */
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
            /** @description What becomes of the message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunFollowupResponse"];
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
            /** @description The id of the run, a bare text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
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
            /** @description The bytes, with the media type that the name of the file suggests. */
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
    downloadByLink: {
        parameters: {
            query: {
                /** @description When the link expires, in seconds since 1970. */
                expires: number;
                /** @description Proves that this server made the link. */
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
            /** @description The bytes, with the media type that the name of the file suggests. */
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
    getTimeline: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description The next_cursor of the page before. */
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
            /** @description What its harness has told. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HarnessUsage"];
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
            header?: {
                /** @description The id of the last event that was seen: the stream goes on after it. */
                "Last-Event-ID"?: string;
                /** @description A stretch of the text, in bytes: bytes=0-65535, or the last ones with bytes=-65536. */
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
            /** @description The stretch that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
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
    getConversationTranscript: {
        parameters: {
            query?: {
                /** @description Stream Server-Sent Events until the run ends. */
                follow?: boolean;
            };
            header?: {
                /** @description The id of the last event that was seen: the stream goes on after it. */
                "Last-Event-ID"?: string;
                /** @description A stretch of the text, in bytes: bytes=0-65535, or the last ones with bytes=-65536. */
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
            /** @description The stretch that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
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
    followUpConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key and body, the request has the effect and the answer of the first time. */
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
            /** @description What becomes of the message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationFollowupResponse"];
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
    listAgents: {
        parameters: {
            query?: {
                /** @description Only the skills of this repository, as owner/repo. */
                repo?: string;
                /** @description Fetch the repositories first. */
                refresh?: boolean;
                /** @description Also those that cannot be read, with their error. */
                include_malformed_skills?: boolean;
                /** @description By name, or the last used first. */
                sort_by?: "name" | "last_run";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skills by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentListResponse"];
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
    listEnvironments: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description The next_cursor of the page before. */
                cursor?: string;
                /** @description By name, or the last updated first. */
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
    getEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uid of the environment. */
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
    updateEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what is changed, as its GET gave it: when it is not that any more, the answer is 412. Without it the last one wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The uid of the environment. */
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
    deleteEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what is changed, as its GET gave it: when it is not that any more, the answer is 412. Without it the last one wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The uid of the environment. */
                uid: string;
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
    listIdentities: {
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
            /** @description A page of agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAgentIdentitiesResponse"];
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
    getIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uid of the agent. */
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
    updateIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what is changed, as its GET gave it: when it is not that any more, the answer is 412. Without it the last one wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The uid of the agent. */
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
    deleteIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what is changed, as its GET gave it: when it is not that any more, the answer is 412. Without it the last one wins. */
                "If-Match"?: string;
            };
            path: {
                /** @description The uid of the agent. */
                uid: string;
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
    listSchedules: {
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
            /** @description A page of schedules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListScheduledAgentsResponse"];
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
    updateSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what is changed, as its GET gave it: when it is not that any more, the answer is 412. Without it the last one wins. */
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
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what is changed, as its GET gave it: when it is not that any more, the answer is 412. Without it the last one wins. */
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
            /** @description It is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteScheduledAgentResponse"];
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
    searchFactories: {
        parameters: {
            query?: {
                /** @description How many at most. */
                limit?: number;
                /** @description The next_cursor of the page before. */
                cursor?: string;
                /** @description Part of a name or an alias, in any case. */
                search?: string;
                /** @description Taken and without effect: a server has one team. */
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
    getFactoryDetails: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uid or the name of the factory. */
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
    dispatchRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key and body, the request has the effect and the answer of the first time. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The uid or the name of the factory. */
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
            /** @description The run waits to start. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryRunResponse"];
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
    deleteFactory: {
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
    syncFactory: {
        parameters: {
            query?: {
                /** @description Answer when the source has been looked at. */
                wait?: boolean;
                /** @description Whether deletions that the prune guard stops are meant. */
                allow_deletes?: boolean;
                /** @description With allow_deletes: the only revision whose deletions are meant, by its hash or at least the first 7 characters of it. Another one that the source has meanwhile is guarded as ever. */
                revision?: string;
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
    createWebhook: {
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
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what is changed, as its GET gave it, or *. Without it what exists is not changed: 412. */
                "If-Match"?: string;
            };
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
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what is changed, as its GET gave it, or *. Without it what exists is not changed: 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The uid of the webhook. */
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
    deleteDeliveries: {
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
            /** @description How many are gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedDeliveries"];
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
    deletePayload: {
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
    putAutomation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what is changed, as its GET gave it, or *. Without it what exists is not changed: 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The name or the uid of the automation. */
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
    deleteAutomation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what is changed, as its GET gave it, or *. Without it what exists is not changed: 412. */
                "If-Match"?: string;
            };
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
    suggestSecretName: {
        parameters: {
            query: {
                /** @description The name of the webhook. */
                webhook: string;
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
            /** @description The name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestedSecretName"];
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
    rotateWebhookSecret: {
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
    listFiles: {
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
            /** @description A page of files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryFileList"];
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
    changeFiles: {
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
                "application/json": components["schemas"]["FileChanges"];
            };
        };
        responses: {
            /** @description What was changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedFiles"];
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
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The path of the file below the root of the definition. */
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
    putFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what is changed, as its GET gave it, or *. Without it what exists is not changed: 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The path of the file below the root of the definition. */
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
    deleteFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of what is changed, as its GET gave it, or *. Without it what exists is not changed: 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The path of the file below the root of the definition. */
                path: string;
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
    planFactoryDeletion: {
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
            /** @description What would go. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryDeletion"];
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
    listRevisions: {
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
            /** @description A page of revisions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionList"];
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
    getCommitStanding: {
        parameters: {
            query?: {
                /** @description Answer when the state is another than pending, or after this long: at most 60s. */
                wait?: string;
            };
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The hash of the commit, or at least its first 7 characters. */
                commit: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the factory stands to the commit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommitStanding"];
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
    suspendFactory: {
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
    resumeFactory: {
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
    rollBackFactory: {
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
    getDrift: {
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
            /** @description The differences. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Drift"];
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
    exportFactory: {
        parameters: {
            query?: {
                /** @description The full hash of a revision that was tried; the one in force without it. */
                revision?: string;
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
            /** @description The files, byte for byte. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactoryExport"];
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
    adoptWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
                factory: string;
                /** @description The uid that the webhook has now. */
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
            /** @description The webhook with its old URL. */
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
    planFactory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name or the uid of the factory. */
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
            /** @description The plan, also of a definition that is not valid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
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
    listPauses: {
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
            /** @description A page of pauses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PauseList"];
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
            /** @description The pause. New runs wait until it is ended. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pause"];
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
            /** @description The pause has ended. */
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
    listFactoryFileSchemas: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer that is known. */
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
            /** @description It is the one that is known. */
            304: {
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
    getFactoryFileSchemas: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer that is known. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A version of the definition format, for example v1alpha1. */
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
            /** @description It is the one that is known. */
            304: {
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
    getFactoryFileSchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an answer that is known. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A version of the definition format, for example v1alpha1. */
                version: string;
                /** @description Its file name, for example webhook.schema.json. */
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
            /** @description It is the one that is known. */
            304: {
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
            /** @description What was found, also when it is not valid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesValidation"];
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
    streamEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the last event that was seen: the stream goes on after it. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events run {run_id, state, factory_uid, at}, delivery {delivery_id, webhook_uid, outcome, factory_uid, at}, factory {factory_uid, name, status, at}, pause {pause_id, status, factory_uid, at}, and reset {} when changes were missed. Last-Event-ID resumes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
            /** @description The key is revoked. */
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
    listAuditLog: {
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
            /** @description A page of the audit log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLog"];
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
    getWhoami: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key of the call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Whoami"];
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
    getActivity: {
        parameters: {
            query?: {
                /** @description How many hours, the present one included. */
                hours?: number;
                /** @description Only what belongs to this factory, by its name or uid. */
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
    listRunners: {
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
            /** @description A page of runners. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunnerList"];
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
    listWebhookActivity: {
        parameters: {
            query?: {
                /** @description Only webhooks of this factory, by its name or uid. */
                factory?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks that are in force. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookActivityList"];
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
    getWebhookTraffic: {
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
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTraffic"];
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
}
