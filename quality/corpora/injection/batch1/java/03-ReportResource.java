package org.example.reports;

import java.io.*;
import java.nio.file.Files;
import java.nio.file.Paths;
import javax.ws.rs.*;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;

@Path("/reports")
public class ReportResource {

    private static final String BASE = "/srv/reports";

    private static final class Document {
        private final File file;
        private final String title;

        Document(String title, String name) {
            this.title = title;
            this.file = new File(BASE, name);
        }

        InputStream open() throws IOException {
            return new FileInputStream(file);
        }

        InputStream template() throws IOException {
            return Files.newInputStream(Paths.get(BASE, "template.html"));
        }
    }

    @GET
    @Path("/download")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    public Response download(@QueryParam("name") String name) throws IOException {
        Document doc = new Document("Report", name);
        return Response.ok(doc.open()).header("X-Title", doc.title).build();
    }

    @GET
    @Path("/template")
    public Response template() throws IOException {
        return Response.ok(new Document("Template", "t").template()).build();
    }
}
