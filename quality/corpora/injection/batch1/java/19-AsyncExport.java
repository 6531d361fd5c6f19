package com.acme.export;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.*;
import java.util.concurrent.CompletableFuture;
import org.springframework.web.bind.annotation.*;

@RestController
public class AsyncExport {

    private static final Path OUT = Paths.get("/srv/export");

    private CompletableFuture<String> nameFor(String label) {
        return CompletableFuture.supplyAsync(() -> label + ".csv");
    }

    @PostMapping("/export")
    public CompletableFuture<Integer> export(@RequestParam String label, @RequestBody String rows) {
        return nameFor(label)
                .thenApply(OUT::resolve)
                .thenApply(p -> {
                    try {
                        Files.writeString(p, rows);
                        return rows.length();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    @GetMapping("/export/latest")
    public CompletableFuture<String> latest(@RequestParam String label) {
        return nameFor("latest").thenApply(OUT::resolve).thenApply(p -> {
            try {
                return label + "\n" + Files.readString(p);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
