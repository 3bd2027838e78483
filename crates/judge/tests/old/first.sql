-- What the first judge, of migration 1, left of a course: one player accepted, one
-- rejected, one whose job was under way when it stopped. In both dialects.
INSERT INTO course (id, title, refused_words) VALUES (1, 'Old course', 'idiot');
INSERT INTO accounts (id, email, name, team, role, language, password, locked, created_at) VALUES
    (1, 'laia@x.edu', 'Laia', '', 'instructor', 'en', '$argon2id$', 0, 1794900000000),
    (2, 'pau@x.edu', 'Pau', 'G1', 'student', 'ca', '$argon2id$', 0, 1794900000001);
INSERT INTO seasons (id, slug, title, game, config, match_ms, round_ms, memory_mib, source_kib, opens_at, deadline_at, official_at, rules, created_at) VALUES
    (1, 'spring', 'Spring', 'ants', 'CONFIG', 1000, NULL, 128, 64, 1794800000000, 1999900000000, 2000000000000, '', 1794900000002);
INSERT INTO submissions (id, season_id, account_id, name, name_key, file_name, language, source, stage, reason, detail, module, seed, created_at, decided_at, verdicts) VALUES
    (1, 1, 2, 'Winner', 'winner', 'AIx.cc', 'cpp', SOURCE, 'accepted', NULL, NULL, '44eb5910710af21bbef0a6d8fb8f13cb55fb7718b912594ef5667a1592be124a', 528994759, 1794900000003, 1794900000004, 1),
    (2, 1, 2, 'Abort', 'abort', 'AIx.cc', 'cpp', SOURCE, 'rejected', 'fault', '1', 'bd6216ceb8c919963d591ba6fb66ec5328955ab41e4e7e6cb386426515431337', 438440294, 1794900000005, 1794900000006, 1),
    (3, 1, 2, 'Late', 'late', 'AIx.cc', 'cpp', SOURCE, 'compiling', NULL, NULL, NULL, 438440295, 1794900000007, NULL, 0);
INSERT INTO matches (id, season_id, purpose, submission_id, step, seed, played, rounds, replay, share, created_at, played_at) VALUES
    (1, 1, 'verification', 2, 0, 438440294, 1, 250, 'd3cb204827e44b6e2597facf02cabfab78430000000000000000000000000000', 'cafe', 1794900000005, 1794900000006);
INSERT INTO seats (match_id, seat, name, submission_id, score, rank, cpu, fault_round, fault, output) VALUES
    (1, 0, 'Abort', 2, 1505, 1, -1, 0, 'out of CPU time', NULL),
    (1, 1, 'Abort', 2, 1505, 1, -1, 0, 'ended its own program: aborted', NULL),
    (1, 2, 'Abort', 2, 1505, 1, 120, NULL, NULL, NULL),
    (1, 3, 'Abort', 2, 1505, 1, 120, NULL, NULL, NULL);
INSERT INTO jobs (id, kind, subject, account_id, priority, batch, state, lease, lease_until, not_before, takes, failures, created_at, finished_at) VALUES
    (1, 'compile', 1, 2, 1, 1, 'done', NULL, 0, 0, 1, 0, 1794900000003, 1794900000004),
    (2, 'compile', 2, 2, 1, 2, 'done', NULL, 0, 0, 1, 0, 1794900000005, 1794900000006),
    (3, 'match', 1, 2, 1, 2, 'done', NULL, 0, 0, 1, 0, 1794900000005, 1794900000006),
    (4, 'compile', 3, 2, 1, 3, 'running', 'gone', 1794900060007, 0, 1, 0, 1794900000007, NULL);
CREATE TABLE migrations (number BIGINT PRIMARY KEY, applied_at BIGINT NOT NULL);
INSERT INTO migrations (number, applied_at) VALUES (1, 1794800000000);
