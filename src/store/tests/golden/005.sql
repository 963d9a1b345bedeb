INSERT INTO meta (name, value)
    VALUES ('audit', '16 a22a7b5e4b036d342db70150de0ca0298f02ba27f60960442491f18d7ceafe89 ce597b261fc08921f519b12e51de992ea9c6d9f97ed8509a9bcf12b5383311ae bc8288f9b9f8117591db56ae75bbd99bf2db4f4137a65a9a2c57af34dcf99e36');
INSERT INTO meta (name, value)
    VALUES ('key', 'be1f045d1fed30ec');
INSERT INTO projects (id, root, name, created, forgotten)
    VALUES ('9531d1d1c529cac0', X'2F70', 'p', '2026-01-01T12:00:00.25Z', NULL);
INSERT INTO proposals (id, project, kind, state, created, queued, source, summary, changes, open, accepted, rejected, flagged, body, seal, note, told, committed)
    VALUES ('00000001', '9531d1d1c529cac0', 'distill', 'applying', '2026-01-01T12:00:00.25Z', '2026-01-01T12:00:00.25Z', 'manual', 's', 3, 1, 1, 0, 0, '{"id":"00000001","project":"9531d1d1c529cac0","kind":"distill","created":"2026-01-01T12:00:00.25Z","trigger":"manual","usage":{"backend":"","model":null,"prompt_chars":0,"input_tokens":null,"output_tokens":null,"cost_usd":null,"calls":0},"summary":"s","changes":[{"n":1,"op":"add","file":"state.md","section":"","target":null,"text":"- one","reason":null,"evidence":[],"origin":"user","verdicts":[]},{"n":2,"op":"add","file":"state.md","section":"","target":null,"text":"- two","reason":null,"evidence":[],"origin":"user","verdicts":[]},{"n":3,"op":"add","file":"state.md","section":"","target":null,"text":"- three","reason":null,"evidence":[],"origin":"user","verdicts":[]}],"spans":[{"source":"/t/1","start":0,"end":100,"fingerprint":{"head":"","head_len":0,"tail":"","tail_len":0}}],"notes":["1.md"],"lines":[],"coverage":[],"hits":[],"dropped":[]}', 'e070a9a55509295f51b3a28a4c3d732c4c142b9c8ab3fccae4474c3074c2d466', NULL, NULL, NULL);
INSERT INTO proposals (id, project, kind, state, created, queued, source, summary, changes, open, accepted, rejected, flagged, body, seal, note, told, committed)
    VALUES ('00000002', '9531d1d1c529cac0', 'distill', 'returned', '2026-01-01T12:00:00.25Z', '2026-01-01T12:00:00.25Z', 'manual', 's', 1, 1, 0, 0, 0, '{"id":"00000002","project":"9531d1d1c529cac0","kind":"distill","created":"2026-01-01T12:00:00.25Z","trigger":"manual","usage":{"backend":"","model":null,"prompt_chars":0,"input_tokens":null,"output_tokens":null,"cost_usd":null,"calls":0},"summary":"s","changes":[{"n":1,"op":"add","file":"state.md","section":"","target":null,"text":"- four","reason":null,"evidence":[],"origin":"user","verdicts":[]}],"spans":[{"source":"/t/2","start":0,"end":100,"fingerprint":{"head":"","head_len":0,"tail":"","tail_len":0}}],"notes":["2.md"],"lines":[],"coverage":[],"hits":[],"dropped":[]}', 'dd26a8d0c58642c71b119846532b105322fab524d6bb35044cc6cf95cb7049c0', 'shorter', NULL, NULL);
INSERT INTO spans (id, project, source, start, stop, state, proposal, fingerprint)
    VALUES (1, '9531d1d1c529cac0', '/t/1', 0, 100, 'consumed', '00000001', '{"head":"","head_len":0,"tail":"","tail_len":0}');
INSERT INTO seen (project, id, proposal)
    VALUES ('9531d1d1c529cac0', X'B526AEF1A341CFE6E5C377ED4C222888', '00000001');
INSERT INTO notes (project, name, state, proposal)
    VALUES ('9531d1d1c529cac0', '1.md', 'consumed', '00000001');
INSERT INTO tries (project, source, start, stop, count, reason, at)
    VALUES ('9531d1d1c529cac0', '/t/9', 0, 10, 1, 'bad', '2026-01-01T12:00:00.25Z');
INSERT INTO journal (proposal, seq, step, body, at, seal)
    VALUES ('00000001', 1, 'decide', '{"n":1,"decision":{"is":"accepted"}}', '2026-01-01T12:00:00.25Z', '82e5a1cfd2baf0ca0c34780d281c47ea1cbad852b19321b5e9ac8e6225a49675');
INSERT INTO journal (proposal, seq, step, body, at, seal)
    VALUES ('00000001', 2, 'decide', '{"n":2,"decision":{"is":"accepted"}}', '2026-01-01T12:00:00.25Z', '57870228b2913c480919a02ccb960a86652129de07e44fe3634ca9f89238c28c');
INSERT INTO journal (proposal, seq, step, body, at, seal)
    VALUES ('00000001', 3, 'undo', '{}', '2026-01-01T12:00:00.25Z', 'e857efa6d5dc2c7907388b24f4b0a856845aecc03299498e0e1d5aee267e3545');
INSERT INTO journal (proposal, seq, step, body, at, seal)
    VALUES ('00000001', 4, 'decide', '{"n":2,"decision":{"is":"rejected"}}', '2026-01-01T12:00:00.25Z', '5a143d756e0d0d8ca0739277f5b80cf16a326f319801d3a3e27b468066416828');
INSERT INTO journal (proposal, seq, step, body, at, seal)
    VALUES ('00000001', 5, 'settle', '{"settled":[1,2],"reopened":[]}', '2026-01-01T12:00:00.25Z', '1b15e89a386ca83c4c14235d8c3493b3f7d1ada6558caa20e21c40a22f1bb681');
INSERT INTO journal (proposal, seq, step, body, at, seal)
    VALUES ('00000001', 6, 'decide', '{"n":3,"decision":{"is":"accepted"}}', '2026-01-01T12:00:00.25Z', 'b1cf9910d5807a1de6e368c796d5ab9fff6306f6aec4f2c5d8023e7b74e9ed3d');
INSERT INTO intents (proposal, project, before, body, seal)
    VALUES ('00000001', '9531d1d1c529cac0', 'applied', '{"proposal":"00000001","project":"9531d1d1c529cac0","decided":6,"files":[{"path":"state.md","before":"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb","after":"b"}],"records":[{"format":1,"project":"9531d1d1c529cac0","entry":"000000000003","version":1,"file":"state.md","section":"","text":"- three","origin":"user","evidence":"","created":"2026-01-01T12:00:00.25Z","at":"2026-01-01T12:00:00.25Z","accepted":"2026-01-01T12:00:00.25Z","confirmed":null,"confirmations":0,"lapses":null,"supersedes":null,"state":"live","proposal":null,"key":"","seal":""}],"applied":[3],"rejected":[],"dropped":[],"reopened":[],"message":"memory: one entry","despite":null,"at":"2026-01-01T12:00:00.25Z"}', '8c7716876e873ddc55fe61c1afb7220931d90b595b9c4988282cec4dc2cb4910');
INSERT INTO commits_owed (id, proposal, project, message, sequence, audit, at, tries, error)
    VALUES (1, '00000001', '9531d1d1c529cac0', 'memory: one entry', 1, '8:325159e4ea0b074b3a45b9f29d0f64a5c5777fcd86c692a6ca35bac969d5af0e', '2026-01-01T12:00:00.25Z', 0, NULL);
INSERT INTO records (project, entry, version, format, file, section, text, origin, evidence, created, at, accepted, confirmed, confirmations, lapses, supersedes, state, proposal, key, seal)
    VALUES ('9531d1d1c529cac0', '000000000001', 1, 1, 'state.md', '', '- 1', 'user', '', '2026-01-01T12:00:00.25Z', '2026-01-01T12:00:00.25Z', '2026-01-01T12:00:00.25Z', NULL, 0, NULL, NULL, 'live', NULL, 'be1f045d1fed30ec', '895c8f813d8ae3d53779d995fc0f937ef1ce78686bacd5fc16d139becfc1f2e2');
INSERT INTO manifests (project, format, count, root, sequence, at, key, seal)
    VALUES ('9531d1d1c529cac0', 1, 1, 'a5724f44dedcacfca2d8bc152a3d45858b03ea4fd8a379b5401b620adf79d4df', 1, '2026-01-01T12:00:00.25Z', 'be1f045d1fed30ec', 'fde5797882e73f11251d9b3483609bda250ff7688de69d83ffc6b3cd9cb999ef');
INSERT INTO tombstones (project, proposal, change, file, text, statement, sources, at)
    VALUES ('9531d1d1c529cac0', '00000001', 2, 'state.md', '- two', 'two', '["/t/1","1.md"]', '2026-01-01T12:00:00.25Z');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (1, '', '2026-01-01T12:00:00.25Z', 'register', '9531d1d1c529cac0', '', '{"root":"/p","name":"p"}', '5e6e98cc8ceddc39f6535d3573ff5eee1b1aa2218c2799a4755ce71f5af5dce9');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (2, '5e6e98cc8ceddc39f6535d3573ff5eee1b1aa2218c2799a4755ce71f5af5dce9', '2026-01-01T12:00:00.25Z', 'stage', '9531d1d1c529cac0', '00000001', '{"kind":"distill","changes":3,"spans":1,"notes":1,"backend":"","model":null,"prompt_chars":0,"calls":0,"cost_usd":null}', '12538aa10e44f8a0af98c6a6a089dffdb58f67239e646910b97c87a878df5c8c');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (3, '12538aa10e44f8a0af98c6a6a089dffdb58f67239e646910b97c87a878df5c8c', '2026-01-01T12:00:00.25Z', 'decide', '9531d1d1c529cac0', '00000001', '{"change":1,"decision":"accepted"}', '4f70f05f943058b10db53f2fad544cd35fe240090eaece69b8db46b1ae0198dc');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (4, '4f70f05f943058b10db53f2fad544cd35fe240090eaece69b8db46b1ae0198dc', '2026-01-01T12:00:00.25Z', 'decide', '9531d1d1c529cac0', '00000001', '{"change":2,"decision":"accepted"}', 'd18463950c4c559ba168cefc9ca734931364e6714fa5d91c0874662c6cb183f1');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (5, 'd18463950c4c559ba168cefc9ca734931364e6714fa5d91c0874662c6cb183f1', '2026-01-01T12:00:00.25Z', 'undo', '9531d1d1c529cac0', '00000001', '{"change":2,"decision":"undecided"}', '3c6e8e1d2bbf1af7c7ac4d611e013c1e993b06c8283b104783aed9aeea424b9f');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (6, '3c6e8e1d2bbf1af7c7ac4d611e013c1e993b06c8283b104783aed9aeea424b9f', '2026-01-01T12:00:00.25Z', 'decide', '9531d1d1c529cac0', '00000001', '{"change":2,"decision":"rejected"}', '56c60ec5534748acebaffdfede5fa58544f1a57ac84ad8a5260c244dd18b6a16');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (7, '56c60ec5534748acebaffdfede5fa58544f1a57ac84ad8a5260c244dd18b6a16', '2026-01-01T12:00:00.25Z', 'begin-apply', '9531d1d1c529cac0', '00000001', '{"applied":[1],"rejected":[2],"files":[{"path":"state.md","before":"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb","after":"3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"}]}', 'edb970628286adb4721e6ac1e8351694ac9f4eb8358d502c0f48370b53257867');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (8, 'edb970628286adb4721e6ac1e8351694ac9f4eb8358d502c0f48370b53257867', '2026-01-01T12:00:00.25Z', 'apply', '9531d1d1c529cac0', '00000001', '{"sequence":1,"root":"a5724f44dedcacfca2d8bc152a3d45858b03ea4fd8a379b5401b620adf79d4df","count":1,"applied":[1],"rejected":[2],"despite":null,"files":[{"path":"state.md","before":"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb","after":"3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"}]}', '325159e4ea0b074b3a45b9f29d0f64a5c5777fcd86c692a6ca35bac969d5af0e');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (9, '325159e4ea0b074b3a45b9f29d0f64a5c5777fcd86c692a6ca35bac969d5af0e', '2026-01-01T12:00:00.25Z', 'stage', '9531d1d1c529cac0', '00000002', '{"kind":"distill","changes":1,"spans":1,"notes":1,"backend":"","model":null,"prompt_chars":0,"calls":0,"cost_usd":null}', '138a8fb48a7a81ce015e76461fda5004e29a9f452eb6ea618bef46c8d6b844f5');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (10, '138a8fb48a7a81ce015e76461fda5004e29a9f452eb6ea618bef46c8d6b844f5', '2026-01-01T12:00:00.25Z', 'return', '9531d1d1c529cac0', '00000002', '{"note_chars":7}', '7c902477d111df08636fb7bd44d07d57d29e9054a5cd7eab9c0c07b44024b430');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (11, '7c902477d111df08636fb7bd44d07d57d29e9054a5cd7eab9c0c07b44024b430', '2026-01-01T12:00:00.25Z', 'curator-failed', '9531d1d1c529cac0', '', '{"tries":1,"reason":"bad","sources":["/t/9"]}', 'a1780affc2f7a4b77d3961227413b555c06accfb6d1f929dbe6113dacaaaf3d2');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (12, 'a1780affc2f7a4b77d3961227413b555c06accfb6d1f929dbe6113dacaaaf3d2', '2026-01-01T12:00:00.25Z', 'decide', '9531d1d1c529cac0', '00000001', '{"change":3,"decision":"accepted"}', '1b893015954d04f50e30bb615d56d19c5eb0b10d0fceae48fc55497145230374');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (13, '1b893015954d04f50e30bb615d56d19c5eb0b10d0fceae48fc55497145230374', '2026-01-01T12:00:00.25Z', 'begin-apply', '9531d1d1c529cac0', '00000001', '{"applied":[3],"rejected":[],"files":[{"path":"state.md","before":"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb","after":"3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"}]}', '646fb43e2867c50771a31b133d4903174682c08f57311f241db80dee60c4f8cb');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (14, '646fb43e2867c50771a31b133d4903174682c08f57311f241db80dee60c4f8cb', '2026-01-01T12:00:00.25Z', 'not-secret', '', '0123456789abcdef0123456789abcdef', '{"rule":"assignment","length":"8-15","not_secret":true}', 'deb4409699ef33a2d60055b52e30ead5efe577fbace40e0c07c1ac8ab1204e2c');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (15, 'deb4409699ef33a2d60055b52e30ead5efe577fbace40e0c07c1ac8ab1204e2c', '2026-01-01T12:00:00.25Z', 'also-secret', '', '1449b19a649763f1fd998b66ec9d84ed', '{"bytes":16,"chars":16,"also_secret":true}', '59cacaecca5b9b277d37b1e9c49730a9e7a978ad5cb44c1d59339e1211205483');
INSERT INTO audit (seq, prev, at, act, project, subjects, details, mac)
    VALUES (16, '59cacaecca5b9b277d37b1e9c49730a9e7a978ad5cb44c1d59339e1211205483', '2026-01-01T12:00:00.25Z', 'recall', '', '', '{}', 'a22a7b5e4b036d342db70150de0ca0298f02ba27f60960442491f18d7ceafe89');
INSERT INTO not_secret (fingerprint, format, rule, length, at, key, seal)
    VALUES ('0123456789abcdef0123456789abcdef', 1, 'assignment', '8-15', '2026-01-01T12:00:00.25Z', 'be1f045d1fed30ec', 'b0c254e284021ea4fe0ee8617b3dc69e0322982f47a9c2b1f12b2a02fdca0ba3');
INSERT INTO aliases (path, project, at)
    VALUES (X'2F6F6C64', '9531d1d1c529cac0', '2026-01-01T12:00:00.25Z');
INSERT INTO spent (day, calls, chars, micros)
    VALUES ('2026-01-01', 2, 30000, 41000);
INSERT INTO roots (path, tool, at)
    VALUES (X'2F746F6F6C', 'claude', '2026-01-01T12:00:00.25Z');
INSERT INTO also_secret (fingerprint, format, bytes, chars, head, tail, at, key, seal)
    VALUES ('1449b19a649763f1fd998b66ec9d84ed', 1, 16, 16, 67, 48, '2026-01-01T12:00:00.25Z', 'be1f045d1fed30ec', '6ff3de75974676d0c8d650288d504af43f3d3d90f4e89551bc75da951986a1ea');
INSERT INTO newest (name, said)
    VALUES ('also-secret 1449b19a649763f1fd998b66ec9d84ed', '15');
INSERT INTO newest (name, said)
    VALUES ('lives 9531d1d1c529cac0', '2 5');
INSERT INTO newest (name, said)
    VALUES ('not-secret 0123456789abcdef0123456789abcdef', '14');
INSERT INTO newest (name, said)
    VALUES ('records 9531d1d1c529cac0', '1 a5724f44dedcacfca2d8bc152a3d45858b03ea4fd8a379b5401b620adf79d4df');
