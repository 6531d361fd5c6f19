using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Npgsql;

var app = WebApplication.Create(args);

NpgsqlConnection Open() => new("Host=db;Database=front");

app.MapGet("/session", async (HttpContext ctx) =>
{
    var sid = ctx.Request.Cookies["sid"];
    await using var con = Open();
    return await con.QueryFirstAsync<string>("SELECT data FROM session WHERE sid = '" + sid + "'");
});

app.MapGet("/agent", async (HttpContext ctx) =>
{
    var agent = ctx.Request.Headers.UserAgent.ToString();
    await using var con = Open();
    await con.ExecuteAsync($"INSERT INTO agent(name) VALUES ('{agent}')");
    await con.ExecuteAsync("INSERT INTO referer(url) VALUES (@url)", new { url = ctx.Request.Headers.Referer.ToString() });
    return Results.Ok(agent);
});

app.MapPost("/note", async (HttpContext ctx) =>
{
    var note = await JsonSerializer.DeserializeAsync<Note>(ctx.Request.Body);
    await File.WriteAllTextAsync("/srv/notes/" + note!.Title, note.Text);
    return Results.NoContent();
});

app.MapGet("/lang", (HttpContext ctx) =>
{
    var lang = ctx.Request.Headers.AcceptLanguage.ToString().Split(',').First();
    using var p = Process.Start("/bin/sh", $"-c \"LANG={lang} date > /srv/date.txt\"");
    p.WaitForExit();
    return Results.Text(File.ReadAllText("/srv/date.txt"));
});

app.MapGet("/form", async (HttpRequest request) =>
{
    var form = await request.ReadFormAsync();
    var page = form["page"].FirstOrDefault() ?? "index.html";
    return Results.Text(await File.ReadAllTextAsync(Path.Combine("/srv/pages", page)));
});

app.Run();

record Note(string Title, string Text);
