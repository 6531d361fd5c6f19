using System.Net;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Microsoft.Azure.Functions.Worker;
using Microsoft.Azure.Functions.Worker.Http;
using Microsoft.EntityFrameworkCore;

namespace Loyalty.Functions;

public class Member
{
    public int Id { get; set; }
    public string Email { get; set; } = "";
    public int Points { get; set; }
}

public class LoyaltyContext(DbContextOptions<LoyaltyContext> options) : DbContext(options)
{
    public DbSet<Member> Members => Set<Member>();
}

public record PointsMessage(string Campaign, int Points, int MemberId);

public class LoyaltyFunctions(LoyaltyContext context)
{
    [Function("FindMember")]
    public async Task<HttpResponseData> Find(
        [HttpTrigger(AuthorizationLevel.Anonymous, "get", Route = "members")] HttpRequestData req)
    {
        string email = req.Query["email"] ?? "";
        var members = await context.Members
            .FromSqlInterpolated($"SELECT * FROM Members WHERE Email = {email}")
            .ToListAsync();
        return await Json(req, members);
    }

    [Function("SearchMembers")]
    public async Task<HttpResponseData> Search(
        [HttpTrigger(AuthorizationLevel.Anonymous, "get", Route = "members/search")] HttpRequestData req)
    {
        string term = req.Query["term"] ?? "";
        var members = await context.Members
            .FromSqlRaw($"SELECT * FROM Members WHERE Email LIKE '%{term}%'")
            .ToListAsync();
        return await Json(req, members);
    }

    [Function("TopMembers")]
    public async Task<HttpResponseData> Top(
        [HttpTrigger(AuthorizationLevel.Anonymous, "post", Route = "members/top")] HttpRequestData req)
    {
        using var body = await JsonDocument.ParseAsync(req.Body);
        string floor = body.RootElement.GetProperty("floor").ToString();
        var query = FormattableStringFactory.Create("SELECT * FROM Members WHERE Points > " + floor);
        return await Json(req, await context.Members.FromSql(query).ToListAsync());
    }

    [Function("ApplyPoints")]
    public async Task Apply([QueueTrigger("partner-points")] PointsMessage message)
    {
        const string Update = "UPDATE Members SET Points = Points + {0} WHERE Id = {1}";
        await context.Database.ExecuteSqlRawAsync(Update, message.Points, message.MemberId);
        var log = string.Concat("INSERT INTO Campaigns (Name) VALUES ('", message.Campaign, "')");
        await context.Database.ExecuteSqlRawAsync(log);
    }

    private static async Task<HttpResponseData> Json(HttpRequestData req, object value)
    {
        var response = req.CreateResponse(HttpStatusCode.OK);
        await response.WriteAsJsonAsync(value);
        return response;
    }
}
