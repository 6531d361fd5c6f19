package org.example.tram;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.server.types.files.SystemFile;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Optional;

@Controller("/archive")
public class TramArchiveController {

    private static final Path ROOT = Paths.get("/srv/tram/archive").toAbsolutePath().normalize();

    record Report(String depot, String title, String text) { }

    private Optional<Path> inside(Path base, String relative) {
        Path candidate = base.resolve(relative).normalize();
        return candidate.startsWith(base) ? Optional.of(candidate) : Optional.empty();
    }

    @Get(value = "/drawing", produces = MediaType.APPLICATION_PDF)
    public HttpResponse<SystemFile> drawing(@QueryValue String sheet) {
        Path path = ROOT.resolve(sheet);
        if (!path.startsWith(ROOT)) {
            return HttpResponse.notFound();
        }
        File file = path.toFile();
        return file.isFile() ? HttpResponse.ok(new SystemFile(file)) : HttpResponse.notFound();
    }

    @Get(value = "/photo", produces = MediaType.IMAGE_JPEG)
    public HttpResponse<byte[]> photo(@QueryValue String name) throws IOException {
        Optional<Path> path = inside(ROOT.resolve("photos"), name);
        if (path.isEmpty()) {
            return HttpResponse.badRequest();
        }
        return HttpResponse.ok(Files.readAllBytes(path.get()));
    }

    @Get(value = "/logbook/{car}", produces = MediaType.TEXT_PLAIN)
    public String logbook(@PathVariable long car) throws IOException {
        Path book = ROOT.resolve("logbooks/" + car + ".txt");
        return Files.readString(book, StandardCharsets.UTF_8);
    }

    @Post("/reports")
    public HttpResponse<String> report(@Body Report report) throws IOException {
        String title = report.title().replaceAll("[^A-Za-z0-9 ]", "").trim();
        if (title.isEmpty()) {
            return HttpResponse.badRequest("title");
        }
        Path folder = Paths.get(ROOT.toString(), "reports", report.depot());
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(title + ".txt"), report.text());
        return HttpResponse.created(title);
    }
}
