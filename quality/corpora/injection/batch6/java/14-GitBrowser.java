package com.acme.scm;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class GitBrowser {

    private static final Predicate<String> NAME = Pattern.compile("^[A-Za-z0-9_]+$").asMatchPredicate();
    private static final File REPO = new File("/srv/git/site");

    static final class Git {
        private final List<String> args = new ArrayList<>(List.of("git"));

        Git with(String... more) {
            args.addAll(Arrays.asList(more));
            return this;
        }

        String output() {
            return read(new ProcessBuilder(args));
        }
    }

    private static String read(ProcessBuilder builder) {
        try {
            Process p = builder.directory(REPO).redirectErrorStream(true).start();
            return new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @GetMapping("/log")
    public String log(@RequestParam(defaultValue = "HEAD") String rev) {
        return read(new ProcessBuilder("git", "log", "--oneline", rev));
    }

    @GetMapping("/show")
    public String show(@RequestParam String commit) {
        if (!commit.matches("[0-9a-f]{7,40}")) {
            return "";
        }
        return read(new ProcessBuilder("git", "show", "--stat", commit));
    }

    @GetMapping("/grep")
    public String grep(@RequestParam String q) {
        return new Git().with("grep", "-n", "-e", q, "--", "src").output();
    }

    @GetMapping("/authors")
    public String authors(@RequestParam String since) {
        since.replaceAll("[^0-9-]", "");
        String line = "git log --since='" + since + "' --format=%an | sort | uniq -c";
        return read(new ProcessBuilder("sh", "-c", line));
    }

    @GetMapping("/branches")
    public String branches(@RequestParam String names) {
        String wanted = Stream.of(names.split(","))
                .map(String::trim)
                .filter(NAME)
                .collect(Collectors.joining("|"));
        String line = "git branch -r | grep -E '^ *origin/(" + wanted + ")$'";
        return read(new ProcessBuilder("sh", "-c", line));
    }

    @GetMapping("/archive")
    public String archive(@RequestParam String prefix, @RequestParam String[] paths) {
        String files = Arrays.stream(paths)
                .filter(p -> !p.contains(".."))
                .map(p -> "\"" + p + "\"")
                .collect(Collectors.joining(" "));
        String line = "git archive HEAD " + files + " | wc -c";
        return prefix + read(new ProcessBuilder("sh", "-c", line));
    }
}
