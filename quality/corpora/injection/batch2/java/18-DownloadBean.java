package files;

import jakarta.ws.rs.*;
import jakarta.ws.rs.core.Response;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

@jakarta.ws.rs.Path("/files")
public class DownloadBean {

    private static final java.nio.file.Path ROOT = Paths.get("/srv/files").toAbsolutePath().normalize();

    @GET
    @jakarta.ws.rs.Path("/one")
    public Response one(@QueryParam("p") String p) throws IOException {
        Path target = ROOT.resolve(p).normalize();
        if (!target.startsWith(ROOT)) {
            throw new ForbiddenException();
        }
        return Response.ok(Files.readAllBytes(target)).build();
    }

    @GET
    @jakarta.ws.rs.Path("/two")
    public Response two(@QueryParam("p") String p) throws IOException {
        File target = new File("/srv/files", p);
        if (!target.getAbsolutePath().startsWith("/srv/files/")) {
            throw new ForbiddenException();
        }
        return Response.ok(Files.newInputStream(target.toPath())).build();
    }

    @DELETE
    @jakarta.ws.rs.Path("/four")
    public Response four(@QueryParam("p") String p) throws IOException {
        Path target = ROOT.resolve(p).normalize();
        if (!Files.exists(target)) {
            throw new NotFoundException();
        }
        Files.delete(target);
        return Response.noContent().build();
    }
}
