package archive.api;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Response;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;

@Path("/documents")
public class DocumentResource {

    private static final java.nio.file.Path HOME = java.nio.file.Path.of("/srv/archive").toAbsolutePath().normalize();
    private static final String PREFIX = "/srv/archive";

    @GET
    public Response fetch(@QueryParam("path") String path) throws IOException {
        java.nio.file.Path file = HOME.resolve(path).normalize();
        if (!file.startsWith(HOME)) {
            throw new ForbiddenException();
        }
        return Response.ok(Files.readAllBytes(file)).build();
    }

    @DELETE
    public Response remove(@QueryParam("path") String path) throws IOException {
        String full = PREFIX + "/" + path;
        if (!full.startsWith(PREFIX)) {
            throw new ForbiddenException();
        }
        Files.delete(java.nio.file.Path.of(full));
        return Response.noContent().build();
    }

    @PUT
    public Response store(@QueryParam("path") String path, InputStream body) throws IOException {
        File target = new File(PREFIX, path);
        if (!target.getCanonicalPath().startsWith(PREFIX)) {
            throw new ForbiddenException();
        }
        try (FileOutputStream out = new FileOutputStream(target)) {
            body.transferTo(out);
        }
        return Response.accepted().build();
    }
}
