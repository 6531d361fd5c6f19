package com.acme.manuals;

import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;

@Controller("/manuals")
public class ManualController {

    private final Path root;

    public ManualController(@Value("${manuals.root}") String root) throws IOException {
        this.root = Paths.get(root).toRealPath();
    }

    @Get(uri = "/text", produces = MediaType.TEXT_PLAIN)
    public HttpResponse<String> text(@QueryValue String file) throws IOException {
        Path p = root.resolve(file);
        if (!p.startsWith(root)) {
            return HttpResponse.badRequest("outside");
        }
        return HttpResponse.ok(Files.readString(p));
    }

    @Get(uri = "/pdf", produces = "application/pdf")
    public HttpResponse<byte[]> pdf(@QueryValue String file) {
        try {
            Path p = root.resolve(file).toRealPath();
            if (!p.startsWith(root)) {
                return HttpResponse.notFound();
            }
            return HttpResponse.ok(Files.readAllBytes(p));
        } catch (IOException | InvalidPathException e) {
            return HttpResponse.notFound();
        }
    }

    @Put("/notes/{author}")
    public HttpResponse<?> note(@PathVariable String author, @QueryValue String title, @Body String text) throws IOException {
        Path folder = Files.createDirectories(root.resolve("notes"));
        Path target = folder.resolve(title + ".txt").normalize();
        Files.write(target, (author + "\n" + text).getBytes(StandardCharsets.UTF_8));
        return HttpResponse.created(title);
    }

    @Delete("/notes")
    public HttpResponse<?> remove(@QueryValue String title) throws IOException {
        Path name = Paths.get(title).getFileName();
        if (name == null || name.toString().startsWith(".")) {
            return HttpResponse.badRequest();
        }
        boolean gone = Files.deleteIfExists(root.resolve("notes").resolve(name));
        return gone ? HttpResponse.noContent() : HttpResponse.notFound();
    }
}
